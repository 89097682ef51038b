import Foundation

/// A list whose elements are compared by their bytes, because reflection takes a thousand times as
/// long.
protocol ComparedList {
  var count: Int { get }
  func element(_ position: Int) -> Any
  /// The positions that both lists have, and whose elements have other bytes. The others are equal.
  ///
  /// - Returns: `nil` if the other list has another type.
  /// - Complexity: O(b), b bytes.
  func changedPositions(since old: any ComparedList) -> [Int]?
}

extension Array: ComparedList {
  func element(_ position: Int) -> Any { self[position] }

  func changedPositions(since old: any ComparedList) -> [Int]? {
    guard let old = old as? Self else { return nil }
    let count = Swift.min(old.count, self.count)
    return old.withUnsafeBytes { old in
      self.withUnsafeBytes { new in
        func differ(_ positions: Range<Int>) -> Bool {
          let size = MemoryLayout<Element>.stride
          let range = positions.lowerBound * size..<positions.upperBound * size
          return UnsafeRawBufferPointer(rebasing: old[range])
            .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: new[range])) == false
        }
        // Most elements are the same, and many at once are compared at memory speed.
        return stride(from: 0, to: count, by: 64).flatMap { start in
          let block = start..<Swift.min(start + 64, count)
          return differ(block) ? block.filter { differ($0..<$0 + 1) } : []
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  func hasSameBytes(as other: Self) -> Bool {
    guard self.count == other.count else { return false }
    guard let start = self.baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, self.count) == 0
  }
}
