extension [Int] {
  /// The indices of a longest subsequence whose numbers increase.
  ///
  /// ```swift
  /// [3, 0, 5, 1, 2].indicesOfLongestIncrease  // [1, 3, 4]
  /// ```
  ///
  /// - Complexity: O(n log n), n numbers.
  package var indicesOfLongestIncrease: [Int] {
    // Of all subsequences of a length, the one with the least last number can be continued most often:
    // for each length, the index of that number.
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: self.count)
    for index in self.indices {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if self[tails[middle]] < self[index] {
          low = middle + 1
        } else {
          high = middle
        }
      }
      previous[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count {
        tails.append(index)
      } else {
        tails[low] = index
      }
    }
    var indices: [Int] = []
    var next = tails.last
    while let index = next {
      indices.append(index)
      next = previous[index]
    }
    return indices.reversed()
  }
}
