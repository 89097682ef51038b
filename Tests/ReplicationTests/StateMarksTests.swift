import Testing

@testable import Replication

struct StateMarksTests {
  private let marks = StateMarks(Shop.coding, interval: 1)

  private func shop(_ stock: Int) -> Shop {
    var shop = Shop()
    shop.stock = stock
    return shop
  }

  @Test func `the oldest digests are dropped, and one state is kept`() throws {
    for number in 1...1_000 { self.marks.follow(self.shop(number), UInt64(number)) }

    let known = try #require(self.marks.known)
    #expect((256..<512).contains(known.marks.count))
    #expect(known.marks.map(\.sequence) == Array(UInt64(1_001 - known.marks.count)...1_000))
    #expect(known.state == self.shop(1_000))
  }

  @Test(
    arguments: [(.zero, Array(1...8)), (.seconds(6_000), [1, 4, 8])] as [(Duration, [UInt64])])
  func `each state gets a mark if there is time for it, and every few in any case`(
    pause: Duration, marked: [UInt64]
  ) async {
    let marks = StateMarks(Shop.coding, interval: 4, pause: pause)
    for number in 1...8 { marks.didFold(UInt64(number), self.shop(number)) }
    marks.compare(StateMark(sequence: 8, digest: "other"), of: "other")

    let (differences, continuation) = AsyncStream.makeStream(of: UInt64.self)
    let running = Task { await marks.run { continuation.yield($0.mark.sequence) } }
    for await _ in differences { break }
    running.cancel()

    #expect(marks.known?.marks.map(\.sequence) == marked)
  }

  @Test func `a mark that all servers have is sent first, then that of the present state`() {
    let marks = StateMarks(Shop.coding, interval: 4)
    for number in 1...10 { marks.follow(self.shop(number), UInt64(number)) }

    let next = [0, 7, 8, 10].map { (sent: UInt64) in marks.next(after: sent, at: 10)?.sequence }

    #expect(next == [8, 8, 10, nil])
    #expect(marks.next(after: 8, at: 11) == nil)
  }

  @Test func `of many states that wait, the newest are marked`() async {
    for number in 1...1_000 { self.marks.didFold(UInt64(number), self.shop(number)) }
    self.marks.compare(StateMark(sequence: 1_000, digest: "other"), of: "other")

    let (differences, continuation) = AsyncStream.makeStream(of: UInt64.self)
    let running = Task { [marks] in
      await marks.run { continuation.yield($0.mark.sequence) }
    }
    var iterator = differences.makeAsyncIterator()
    let first = await iterator.next()
    running.cancel()

    #expect(first == 1_000)
    #expect(self.marks.known?.marks.map(\.sequence) == Array(938...1_000))
  }
}
