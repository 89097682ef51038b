import CounterData
import HTMLTemplates
import ImmutableUI

/// The value, as large as there is room, and in words for screen readers.
struct CounterNumber: Presenter, Hashable {
  @SelectValue private var value

  /// Whether the number needs a smaller type, so that it stays on one line.
  private var isLong: Bool { "\(self.value)".count > 6 }

  static let template = Template<Self>([
    .text("value") { $0.value },
    .flag("isLong") { $0.isLong },
  ])
}
