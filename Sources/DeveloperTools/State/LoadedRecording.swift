import Foundation
import ImmutableUI

/// A recording that the developer pages show instead of a running program.
struct LoadedRecording: Hashable, Sendable {
  /// The name of its file.
  let name: String
  /// Whether the recorded beginning cannot be read.
  let isRisky: Bool
  /// The number of its actions, and their times; `nil` if there are none.
  private(set) var actions = 0
  private(set) var span: ClosedRange<Date>?

  init(name: String, isRisky: Bool) {
    self.name = name
    self.isRisky = isRisky
  }

  mutating func add(_ time: Date) {
    self.actions += 1
    let first = self.span?.lowerBound ?? time
    self.span = min(first, time)...max(self.span?.upperBound ?? time, time)
  }
}

extension Refusal {
  /// Of whatever would change something while a recording is shown.
  static let isRecording = Self(.conflict, "This is a recording, so nothing can be changed.")
}
