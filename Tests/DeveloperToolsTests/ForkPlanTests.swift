import TestSupport
import Testing

@testable import DeveloperTools

struct ForkPlanTests {
  @Test(arguments: ["12", "12-13", "12~17.16", "12-13.15~17.16"])
  func `a plan survives a round trip through text`(text: String) throws {
    #expect(try #require(ForkPlan(text)).description == text)
  }

  @Test(arguments: ["", "x", "-3", "12-", "12~", "12~1-2", "99999999999999999999", " 12"])
  func `text that is not a plan is rejected`(text: String) {
    #expect(ForkPlan(text) == nil)
  }

  @Test func `a plan that is too long is rejected`() {
    let long = "1-" + String(repeating: "2.", count: ForkPlan.textLimit)
    #expect(ForkPlan(long) == nil)
  }

  @Test func `numbers that the order does not name stay where they are`() {
    let numbers = [1, 2, 3, 4, 5]

    #expect(ForkPlan(from: 1).ordered(numbers) == numbers)
    #expect(ForkPlan(from: 1, order: [4, 2]).ordered(numbers) == [1, 4, 3, 2, 5])
    // Anything may come in a URL.
    #expect(ForkPlan(from: 1, order: [4, 9, 4, 2]).ordered(numbers) == [1, 4, 3, 2, 5])
    #expect(ForkPlan(from: 1, order: [9]).ordered(numbers) == numbers)
  }

  @Test func `moves reach any order and return to the original`() throws {
    var generator = SeededGenerator(seed: 15)
    let numbers = Array(10..<30)
    let target = numbers.shuffled(using: &generator)
    var plan = ForkPlan(from: 10)
    for wanted in [target, numbers] {
      // Each number, from the first place on, moves up to where it belongs.
      for (index, number) in wanted.enumerated() {
        while plan.ordered(numbers).firstIndex(of: number) != index {
          plan = try #require(plan.moving(number, earlierIn: numbers))
        }
      }
      #expect(plan.ordered(numbers) == wanted)
      #expect(ForkPlan(plan.description) == plan)
    }
    #expect(plan == ForkPlan(from: 10))
    #expect(plan.moving(10, earlierIn: numbers) == nil)
    #expect(plan.moving(99, earlierIn: numbers) == nil)
  }

  @Test func `a number can be skipped and restored`() {
    let plan = ForkPlan(from: 1).toggling(3).toggling(2)

    #expect(plan.skipped == [2, 3])
    #expect(plan.toggling(3).toggling(2) == ForkPlan(from: 1))
  }
}
