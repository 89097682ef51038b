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
    #expect((64..<128).contains(known.marks.count))
    #expect(known.marks.map(\.sequence) == Array(UInt64(1_001 - known.marks.count)...1_000))
    #expect(known.state == self.shop(1_000))
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
