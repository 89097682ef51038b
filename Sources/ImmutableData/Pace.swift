/// Limits work to one start per interval, however often it is requested.
public actor Pace {
  private let interval: Duration
  private var next: ContinuousClock.Instant = .now

  public init(_ interval: Duration) {
    self.interval = interval
  }

  /// Waits until the next start is due.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; it then does not count as a start.
  public func turn() async throws {
    while self.next > .now { try await Task.sleep(until: self.next, clock: .continuous) }
    self.next = .now + self.interval
  }
}
