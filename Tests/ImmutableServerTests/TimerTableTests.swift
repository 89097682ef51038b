import NIOCore
import Testing

@testable import HTTPConnections

@Suite struct TimerTableTests {
  private final class Done {
    var names: [String] = []
  }

  private let done = Done()
  private var table = TimerTable()

  private mutating func add(_ name: String, after time: TimeAmount) -> TimerTable.Timer {
    self.table.add(after: time) { [done] in done.names.append(name) }
  }

  /// - Parameter time: It passes in steps, as an event loop makes them.
  private mutating func pass(_ time: TimeAmount) {
    for _ in 0..<time.nanoseconds / TimerTable.interval.nanoseconds {
      self.advance(by: TimerTable.interval)
    }
  }

  private mutating func advance(by time: TimeAmount) {
    for timer in self.table.advance(by: time) { self.table.take(timer)?() }
  }

  @Test mutating func `a timer is not early, and late by two intervals at most`() {
    _ = self.add("a", after: .seconds(10))

    self.pass(.seconds(10))
    #expect(self.done.names == [])
    self.pass(TimerTable.interval + TimerTable.interval)

    #expect(self.done.names == ["a"])
    #expect(self.table.isEmpty)
  }

  @Test mutating func `timers end in their order`() {
    _ = self.add("b", after: .seconds(2))
    _ = self.add("a", after: .seconds(1))
    _ = self.add("c", after: .seconds(2))

    self.pass(.seconds(3))

    #expect(self.done.names == ["a", "b", "c"])
  }

  @Test mutating func `a timer that was removed does nothing and leaves nothing`() {
    let timer = self.add("a", after: .seconds(1))

    self.table.remove(timer)
    self.pass(.seconds(2))

    #expect(self.done.names == [])
    #expect(self.table.isEmpty)
  }

  @Test mutating func `a timer that another one removes at the same moment does nothing`() {
    let first = self.add("a", after: .seconds(1))
    let second = self.add("b", after: .seconds(1))

    for timer in (0..<12).flatMap({ _ in self.table.advance(by: TimerTable.interval) }) {
      self.table.remove(second)
      self.table.take(timer)?()
    }

    #expect(self.done.names == ["a"])
    self.table.remove(first)
    #expect(self.table.isEmpty)
  }

  @Test mutating func `while the process is suspended no time passes`() {
    _ = self.add("a", after: .seconds(10))

    self.advance(by: .hours(1))
    self.pass(.seconds(8))
    #expect(self.done.names == [])
    self.pass(.seconds(2))

    #expect(self.done.names == ["a"])
  }

  @Test mutating func `the longest time ends no earlier than others`() {
    _ = self.add("a", after: .nanoseconds(.max))
    _ = self.add("b", after: .nanoseconds(1))

    self.pass(.seconds(1))

    #expect(self.done.names == ["b"])
  }
}
