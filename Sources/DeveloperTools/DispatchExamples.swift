import HTMLTemplates
import ImmutableData
import ImmutableUI

/// Recorded actions to start from, one of each kind.
struct DispatchExamples: Presenter, Hashable {
  @Selected(outputSelector: \.examples) private var entries: [Entry]
  /// The number of the selected one.
  private let example: Int?

  init(example: Int?) {
    self.example = example
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.entries.isEmpty },
    .rows("examples", Self.row) { examples in
      examples.entries.map { Row(entry: $0, isCurrent: $0.id == examples.example) }
    },
  ])

  private static let row: Slots<Row> = [
    .text("version") { "\($0.entry.dispatch.version)" },
    .text("product") { $0.entry.product },
    .actionName("action") { $0.entry.name },
    .text("payload") { $0.entry.payload },
    .flag("isCurrent") { $0.isCurrent },
    .link("use", DeveloperDispatch.Local.self) { $0.example = $1.id },
  ]

  private struct Row: Identifiable, Hashable, Sendable {
    let entry: Entry
    let isCurrent: Bool

    var id: Int { self.entry.id }
  }
}
