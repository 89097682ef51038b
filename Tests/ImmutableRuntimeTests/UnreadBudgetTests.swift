import HTMLTemplates
import ImmutableUI
import Testing

@testable import ImmutableRuntime

@Suite struct UnreadBudgetTests {
  private func render(_ count: Int) -> Rendered {
    var writer = HTMLWriter()
    writer.write(bytes: [UInt8](repeating: 0x61, count: count)[...])
    return Rendered(writer)
  }

  @Test func `a render is counted once, however many pages show it and however often`() {
    let budget = UnreadBudget(limit: 1 << 20)
    let (shared, own) = (self.render(1_000), self.render(2_000))

    var first = budget.hold([shared, own, shared], for: "a")
    let bytes = budget.bytes
    var second = budget.hold([shared], for: "b")

    #expect(first != nil && second != nil)
    #expect(bytes == shared.heapSize + own.heapSize)
    #expect(budget.bytes == bytes)
    first = nil
    #expect(budget.bytes == shared.heapSize)
    second = nil
    #expect(budget.bytes == 0)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `one client may cause a quarter, and all pages together half`() {
    let budget = UnreadBudget(limit: 400_000)
    var held: [HeldPage] = []
    func countHeld(by client: String) -> Int {
      let before = held.count
      while let page = budget.hold([self.render(30_000)], for: client) { held.append(page) }
      return held.count - before
    }

    #expect([countHeld(by: "a"), countHeld(by: "b"), countHeld(by: "c")] == [3, 3, 0])
    #expect(budget.hold([], for: "a") != nil)
    held = []
    #expect(budget.bytes == 0)
    #expect(countHeld(by: "c") == 3)
  }

  @Test func `events have a half of their own`() {
    let budget = UnreadBudget(limit: 400_000)
    let held = budget.hold([self.render(90_000)], for: "a")

    #expect(budget.addEvent(100_000, for: "a") && budget.addEvent(100_000, for: "b"))
    #expect(budget.addEvent(1, for: "c") == false)
    #expect(budget.hold([self.render(90_000)], for: "b") != nil)
    budget.moveEvent(100_000, from: "a", to: nil)
    #expect(budget.addEvent(100_000, for: "c"))
    withExtendedLifetime(held) {}
  }

  @Test func `one client may cause half of the events`() {
    let budget = UnreadBudget(limit: 400_000)

    #expect(budget.addEvent(100_000, for: "a"))
    #expect(budget.addEvent(1, for: "a") == false)
    #expect(budget.addEvent(100_000, for: "b"))
    budget.moveEvent(100_000, from: "a", to: nil)
    #expect(budget.addEvent(100_000, for: "a"))
  }

  @Test func `events count for another client once the first has read them`() {
    let budget = UnreadBudget(limit: 400_000)
    let count = budget.addEvent(80_000, for: "a")

    budget.moveEvent(80_000, from: "a", to: "b")

    #expect(count && budget.bytes == 80_000)
    #expect(budget.addEvent(80_000, for: "a"))
    #expect(budget.addEvent(80_000, for: "b") == false)
    budget.moveEvent(80_000, from: "b", to: nil)
    #expect(budget.bytes == 80_000)
    #expect(budget.addEvent(80_000, for: "b"))
  }
}
