import ImmutableData

// Requests that wait for a change. They share one signal of the store, so that an action costs the
// main actor the same, however many wait.
extension Product {
  /// Waits while a condition on the newest state or the outcomes holds, but no longer than the
  /// limit, nor after the task was cancelled.
  func wait(for limit: Duration, while holds: (Snapshot) -> Bool) async {
    guard holds(self.snapshot()) else { return }
    let deadline = ContinuousClock.now + limit
    self.waits.begun += 1
    let waiter = self.waits.begun
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      self.wake(waiter)
    }
    defer {
      timer.cancel()
      self.waits.ended += 1
      if self.waits.ended == self.waits.begun {
        self.waking?.cancel()
        self.waking = nil
      }
    }
    self.waking = self.waking ?? Task { await self.wakeAfterActions() }
    while ContinuousClock.now < deadline, Task.isCancelled == false {
      let snapshot = self.snapshot()
      guard holds(snapshot) else { return }
      await self.waitForChange(after: snapshot.version, waiter)
    }
  }

  /// Waits until the store has changed, or until ``wake(_:)``. It may end early.
  private func waitForChange(after version: UInt64, _ waiter: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard self.source.snapshot().version == version else { return continuation.resume() }
        self.waiters[waiter] = continuation
      }
    } onCancel: {
      Task { await self.wake(waiter) }
    }
  }

  private func wakeAfterActions() async {
    let signal = await self.source.makeSignal()
    // The store may have changed before the signal existed.
    self.wakeAll()
    for await _ in signal { self.wakeAll() }
  }

  private func wakeAll() {
    let waiters = self.waiters.values
    self.waiters = [:]
    for waiter in waiters { waiter.resume() }
  }

  private func wake(_ waiter: Int) {
    self.waiters.removeValue(forKey: waiter)?.resume()
  }
}
