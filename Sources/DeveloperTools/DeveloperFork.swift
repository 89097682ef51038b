import HTMLTemplates
import ImmutableUI

/// The result of recorded actions if some had been skipped or reordered.
struct DeveloperFork: DeveloperPage {
  static let path = "/developer/fork"
  static let label = "Fork"

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .log) },
    .link("log", to: DeveloperLog.page()) { $0.entry = $1.local.plan?.from },
    .localForm("urlForm", Local.self),
    .field("url", Local.urlField),
    .optional("fork", Self.fork) { root in
      root.local.plan.map { Chosen(plan: $0, url: root.local.url, seen: root.local.seen) }
    },
  ])

  private static let fork: Slots<Chosen> = [
    .region("steps") { ForkSteps($0.plan) },
    .region("outcome") { ForkOutcome($0.plan, url: $0.url, seen: $0.seen) },
  ]

  private struct Chosen: Sendable {
    let plan: ForkPlan
    let url: String
    let seen: PageTime?
  }
}

extension DeveloperFork {
  struct Local: LocalState {
    var plan: ForkPlan?
    /// The path and query of the page to show.
    var url = ""
    /// How a window showed it; `nil` for the developer's own time zone and visitor, and now.
    var seen: PageTime?

    static let parameters: [Parameter<Self>] = [
      Parameter("plan", \.plan, limit: ForkPlan.textLimit),
      Parameter(Self.urlField, \.url, limit: 4_096),
      Parameter("seen", \.seen),
    ]
    static let urlField = Field.text("url", limit: 4_000)

    mutating func resolve(in environment: WindowEnvironment) {
      self.url = self.url.pathOfPage
    }
  }
}
