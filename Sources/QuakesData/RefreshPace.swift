/// Lets fetches begin at most once in an interval, however often somebody asks for them.
actor RefreshPace {
  private let interval: Duration
  private var next: ContinuousClock.Instant = .now

  init(_ interval: Duration) {
    self.interval = interval
  }

  /// Returns when the next fetch may begin.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; it then counts as none.
  func turn() async throws {
    while self.next > .now { try await Task.sleep(until: self.next, clock: .continuous) }
    self.next = .now + self.interval
  }
}
