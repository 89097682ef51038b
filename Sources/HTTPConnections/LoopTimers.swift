import NIOCore
import NIOPosix

/// Timers of one event loop, for its connections.
///
/// An event loop looks through all of its scheduled tasks to cancel one. With a task for each
/// connection, each request and each end of a connection would take longer the more connections there
/// are.
struct TimerTable {
  /// How exact the timers are. They are never early.
  static let interval = TimeAmount.milliseconds(100)

  /// The most that a pause counts. If the process was suspended, or the machine slept, no client could
  /// make progress meanwhile.
  static let longestPause = TimeAmount.seconds(1)

  /// Longer times count as this one.
  private static let longest = TimeAmount.hours(365 * 24)

  struct Timer {
    fileprivate let tick: Int64
    fileprivate let number: Int
  }

  /// What is done at a tick, by the numbers of its timers. Bounded by the connections: each has three
  /// timers at most.
  private var actions: [Int64: [Int: () -> Void]] = [:]
  private var number = 0
  /// How long the loop has been running, without what is too long for a pause.
  private var time = TimeAmount.zero
  private var tick: Int64 { self.time.nanoseconds / Self.interval.nanoseconds }

  var isEmpty: Bool { self.actions.isEmpty }

  /// - Complexity: O(1).
  mutating func add(after time: TimeAmount, _ action: @escaping () -> Void) -> Timer {
    self.number += 1
    // The time is that of the last tick; and a part of an interval counts as a whole one.
    let end =
      self.time + min(time, Self.longest) + Self.interval + Self.interval - .nanoseconds(1)
    let timer = Timer(tick: end.nanoseconds / Self.interval.nanoseconds, number: self.number)
    self.actions[timer.tick, default: [:]][timer.number] = action
    return timer
  }

  /// - Complexity: O(1).
  mutating func remove(_ timer: Timer) {
    self.actions[timer.tick]?[timer.number] = nil
    if self.actions[timer.tick]?.isEmpty == true { self.actions[timer.tick] = nil }
  }

  /// - Parameter time: The time since the last call.
  /// - Returns: The timers that are over, the first ones first.
  mutating func advance(by time: TimeAmount) -> [Timer] {
    let last = self.tick
    self.time = self.time + min(time, Self.longestPause)
    guard last < self.tick else { return [] }
    return (last + 1...self.tick).flatMap { tick in
      (self.actions[tick] ?? [:]).keys.sorted().map { Timer(tick: tick, number: $0) }
    }
  }

  /// Removes a timer that is over.
  ///
  /// - Returns: What is to be done; `nil` if the timer was removed before.
  mutating func take(_ timer: Timer) -> (() -> Void)? {
    defer { self.remove(timer) }
    return self.actions[timer.tick]?[timer.number]
  }
}

/// The timers of the event loop of a thread. It wakes the loop as long as there are any.
final class LoopTimers {
  // Each thread has a value of its own.
  nonisolated(unsafe) private static let all = ThreadSpecificVariable<LoopTimers>()

  /// Call it on the thread of an event loop.
  static var ofThisThread: LoopTimers {
    if let timers = self.all.currentValue { return timers }
    let timers = LoopTimers()
    self.all.currentValue = timers
    return timers
  }

  private var table = TimerTable()
  private var isTicking = false

  /// - Parameter action: It is not done if the timer is removed before.
  func add(
    after time: TimeAmount, on loop: any EventLoop, _ action: @escaping () -> Void
  ) -> TimerTable.Timer {
    if self.isTicking == false { self.tickLater(on: loop.assumeIsolated()) }
    return self.table.add(after: time, action)
  }

  func remove(_ timer: inout TimerTable.Timer?) {
    if let timer { self.table.remove(timer) }
    timer = nil
  }

  private func tickLater(on loop: NIOIsolatedEventLoop) {
    let begun = NIODeadline.now()
    self.isTicking = true
    loop.scheduleTask(in: TimerTable.interval) {
      for timer in self.table.advance(by: .now() - begun) { self.table.take(timer)?() }
      self.isTicking = false
      if self.table.isEmpty == false { self.tickLater(on: loop) }
    }
  }
}
