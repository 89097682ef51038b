/// Limits fetches to one per interval, however often they are requested.
actor RefreshPace {
  private let interval: Duration
  private var next: ContinuousClock.Instant = .now

  init(_ interval: Duration) {
    self.interval = interval
  }

  /// Waits until the next fetch may begin.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; it then does not count as a fetch.
  func turn() async throws {
    while self.next > .now { try await Task.sleep(until: self.next, clock: .continuous) }
    self.next = .now + self.interval
  }
}
