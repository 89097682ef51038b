import HTMLTemplates
import ImmutableData
import ImmutableUI

/// The differences between the chosen state of a product and an earlier or later one.
struct StateChangeList: Presenter, Hashable {
  @ImmutableUI.Selector<DeveloperState.Store, [DeveloperState.Basis], StateChanges>
  private var changes: StateChanges
  private let start: Int

  /// - Parameters:
  ///   - since: The number of the entry after which the first state was reached.
  ///   - id: The number of the entry after which the second one was reached; `nil` for now.
  init(product: String, since: Int, to id: Int?) {
    self._changes = ImmutableUI.Selector(
      id: [product, since.description, id?.description],
      dependencySelector: DeveloperState.selectBasis(of: product, after: [since, id]),
      outputSelector: { $0.changes(of: product, since: since, to: id) })
    self.start = since
  }

  static let template = Template<Self>([
    .text("start") { "\($0.start)" },
    .link("close", DeveloperStates.Local.self) { local, _ in local.since = nil },
    .flag("isKnown") { $0.changes.difference != nil },
    .optional("since", Self.entry) { $0.changes.since },
    .optional("at", Self.entry) { $0.changes.at },
    .optional("difference", LogEntryDetail.difference) { $0.changes.difference },
  ])

  private static let entry: Slots<Entry> = [
    .actionName("name") { $0.name },
    .text("version") { "\($0.dispatch.version)" },
  ]
}
