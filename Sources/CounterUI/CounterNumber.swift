import CounterData
import HTMLTemplates
import ImmutableUI

/// The value, as large as there is room, and in words for screen readers.
struct CounterNumber: Presenter, Hashable {
  @SelectValue private var value

  /// With a minus sign, which is as wide as a digit; numbers in Swift have a hyphen.
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
