import HTMLTemplates
import ImmutableUI

/// How the final state of a fork differs from the recorded one, and a page in that state.
struct ForkOutcome: Presenter, Hashable {
  @SelectFork private var fork: Fork?
  private let plan: ForkPlan
  private let url: String
  private let seen: PageTime?

  init(_ plan: ForkPlan, url: String, seen: PageTime? = nil) {
    self._fork = SelectFork(plan)
    self.plan = plan
    self.url = url
    self.seen = seen
  }

  static let template = Template<Self>([
    .optional("fork", Self.slots) { outcome in
      outcome.fork.map { Model(fork: $0, source: outcome.source) }
    }
  ])

  private static let slots: Slots<Model> = [
    .nested("difference", LogEntryDetail.difference) {
      StateDifference(from: $0.fork.recordedState, to: $0.fork.state)
    },
    .optionalText("page") { $0.source },
  ]

  private struct Model: Sendable {
    let fork: Fork
    let source: String?
  }

  /// The URL of the page in the fork; `nil` if none was chosen.
  private var source: String? {
    guard self.url.isEmpty == false else { return nil }
    let items = [
      QueryItem(name: "url", value: self.url),
      QueryItem(name: "plan", value: self.plan.description),
    ]
    let seen = self.seen.map { [QueryItem(name: "seen", value: $0.description)] } ?? []
    return "\(Developer.pastPath)?\(Query(items + seen).text)"
  }
}
