import Foundation

/// A recording that the developer pages show instead of a running program.
struct LoadedRecording: Hashable, Sendable {
  enum Verdict { case fine, risky }

  /// The name of its file.
  let name: String
  let verdict: Verdict
  /// The number of its actions, and their times; `nil` if there are none.
  private(set) var actions = 0
  private(set) var span: ClosedRange<Date>?

  init(name: String, verdict: Verdict) {
    self.name = name
    self.verdict = verdict
  }

  mutating func add(_ time: Date) {
    self.actions += 1
    let first = self.span?.lowerBound ?? time
    self.span = min(first, time)...max(self.span?.upperBound ?? time, time)
  }
}
