import CounterData
import ImmutableUI

/// The value, as large as possible, and with a text for screen readers.
struct CounterNumber: Presenter, Hashable {
  @SelectValue private var value

  /// The number with a minus sign, which is as wide as a digit. Swift writes a hyphen.
  private var figure: String {
    (self.value < 0 ? "\u{2212}" : "") + String(self.value.magnitude)
  }

  /// Whether the number needs a smaller type, so that it stays on one line.
  private var isLong: Bool { self.figure.count > 6 }

  static let template = Template<Self>([
    .text("value") { $0.value },
    .text("figure") { $0.figure },
    .flag("isLong") { $0.isLong },
  ])
}
