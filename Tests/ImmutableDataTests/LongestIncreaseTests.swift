import ImmutableData
import Testing

struct LongestIncreaseTests {
  @Test(
    arguments: [
      ([], []),
      ([1], [0]),
      ([1, 2, 3], [0, 1, 2]),
      ([3, 2, 1], [2]),
      ([1, 1, 1], [0]),
      ([3, 0, 5, 1, 2], [1, 3, 4]),
      ([5, 6, 1, 2, 7], [0, 1, 4]),
    ] as [([Int], [Int])])
  func `a longest increase is found`(numbers: [Int], indices: [Int]) {
    let found = numbers.indicesOfLongestIncrease

    #expect(found.count == indices.count)
    #expect(found == found.sorted())
    #expect(zip(found, found.dropFirst()).allSatisfy { numbers[$0] < numbers[$1] })
  }
}
