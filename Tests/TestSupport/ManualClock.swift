import Synchronization

/// A clock whose time is what a test says.
public final class ManualClock: Clock {
  public struct Instant: InstantProtocol {
    let time: Duration

    public func advanced(by duration: Duration) -> Self { Self(time: self.time + duration) }
    public func duration(to other: Self) -> Duration { other.time - self.time }
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.time < rhs.time }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Contents {
    var now = Instant(time: .zero)
    var count = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }

  private let contents = Mutex(Contents())
  /// How long each who has gone to sleep wanted to.
  public let sleeps = Transcript<Duration>()

  public init() {}

  public var now: Instant { self.contents.withLock { $0.now } }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = self.contents.withLock { contents in
      contents.count += 1
      return contents.count
    }
    let duration = self.now.duration(to: deadline)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = self.contents.withLock { contents in
          if contents.cancelled.remove(id) != nil { return true }
          contents.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        self.sleeps.append(duration)
      }
    } onCancel: {
      let sleeper = self.contents.withLock { contents in
        let sleeper = contents.sleepers.removeValue(forKey: id)
        if sleeper == nil { contents.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes whoever has slept enough.
  public func advance(by duration: Duration) {
    let woken = self.contents.withLock { contents in
      contents.now = contents.now.advanced(by: duration)
      let due = contents.sleepers.filter { $0.value.deadline <= contents.now }
      for id in due.keys { contents.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}
