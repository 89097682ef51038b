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
    let size = MemoryLayout<Element>.stride
    return old.withUnsafeBytes { old in
      self.withUnsafeBytes { new in
        (0..<Swift.min(old.count, new.count) / size).filter { position in
          let range = position * size..<(position + 1) * size
          return UnsafeRawBufferPointer(rebasing: old[range])
            .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: new[range])) == false
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
