import HTMLTemplates
import ImmutableData
import ImmutableUI

/// The actions of a product: those after which its state can be shown, and since which its changes
/// can.
struct StateVersions: Presenter, Hashable {
  private static let limit = 20

  @Selected<DeveloperState.History> private var history: DeveloperState.History
  private let id: Int?
  private let since: Int?

  init(product: String, id: Int?, since: Int?) {
    self._history = Selected(
      id: [product, id?.description],
      outputSelector: { $0.history(of: product, around: id, limit: Self.limit) })
    self.id = id
    self.since = since
  }

  private var steps: [Step] {
    self.history.entries.reversed().map { entry in
      Step(entry: entry, isCurrent: entry.id == self.id, isStart: entry.id == self.since)
    }
  }

  static let template = Template<Self>([
    .flag("isNow") { $0.id == nil },
    .link("now", DeveloperStates.Local.self) { local, _ in local.at = nil },
    .flag("isEmpty") { $0.history.entries.isEmpty },
    .each("entries", Self.step) { $0.steps },
    .flag("isCut") { $0.history.entries.count == Self.limit },
  ])

  private static let step: Slots<Step> = [
    .text("version") { "\($0.entry.dispatch.version)" },
    .text("name") { $0.entry.name },
    .actionName("action") { $0.entry.name },
    .text("time") { $0.entry.time.clock },
    .flag("isRefused") { $0.entry.refusal != nil },
    .flag("isCurrent") { $0.isCurrent },
    .flag("isStart") { $0.isStart },
    .link("open", DeveloperStates.Local.self) { $0.at = $1.entry.id },
    .link(
      "compare", DeveloperStates.Local.self, scrollingTo: { _ in "changes" },
      change: { $0.since = $1.entry.id }),
  ]

  private struct Step: Sendable {
    let entry: Entry
    let isCurrent: Bool
    let isStart: Bool
  }
}
