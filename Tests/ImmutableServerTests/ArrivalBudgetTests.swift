import Testing

@testable import HTTPConnections

struct ArrivalBudgetTests {
  @Test func `a client may take a quarter of what all requests may take`() {
    let budget = ArrivalBudget(limit: 100)

    #expect(budget.add(25, for: "one"))
    #expect(budget.add(1, for: "one") == false)
    #expect(budget.add(25, for: "another"))
    #expect(budget.bytes == 50)
  }

  @Test func `the limit holds for clients without a share, too`() {
    let budget = ArrivalBudget(limit: 100)

    #expect(budget.add(80, for: nil))
    #expect(budget.add(21, for: nil) == false)
    #expect(budget.add(21, for: "one") == false)
    budget.remove(80, for: nil)
    #expect(budget.add(21, for: "one"))
    #expect(budget.bytes == 21)
  }

  @Test func `what was refused does not count`() {
    let budget = ArrivalBudget(limit: 100)

    #expect(budget.add(26, for: "one") == false)
    #expect(budget.add(25, for: "one"))
    budget.remove(25, for: "one")
    #expect(budget.bytes == 0)
  }
}
