import Foundation

/// A text without case and accents, to be searched byte by byte. In UTF-8, a match never begins
/// inside a character.
package struct FoldedText: Hashable, Sendable {
  package let bytes: [UInt8]

  /// - Complexity: O(n), n bytes.
  package init(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      // The same result as folding, in a fifteenth of the time: 1.6 ms for 10,000 names.
      self.bytes = text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    } else {
      // Decomposed, because equal texts may be composed differently.
      self.bytes = Array(
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
          .decomposedStringWithCanonicalMapping.utf8
      )
    }
  }

  package var isEmpty: Bool {
    self.bytes.isEmpty
  }

  package var string: String {
    String(decoding: self.bytes, as: UTF8.self)
  }

  /// - Complexity: That of ``Swift/Array/offset(of:from:)``.
  package func contains(_ other: Self) -> Bool {
    self.bytes.offset(of: other.bytes, from: 0) != nil
  }
}

extension [UInt8] {
  /// Where some bytes first occur at or after an offset.
  ///
  /// - Complexity: O(n + m), n bytes of these, m of the others, also if they repeat themselves.
  ///
  /// Source: Knuth, Morris and Pratt, Fast Pattern Matching in Strings.
  func offset(of other: Self, from start: Int) -> Int? {
    guard other.isEmpty == false else { return start }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: other.count) { ends in
      // For each beginning of the others, how much of its end is a beginning of them, too.
      ends.initialize(repeating: 0)
      var same = 0
      for index in 1..<other.count {
        while same > 0, other[index] != other[same] { same = ends[same - 1] }
        if other[index] == other[same] { same += 1 }
        ends[index] = same
      }
      same = 0
      for index in start..<self.count {
        while same > 0, self[index] != other[same] { same = ends[same - 1] }
        if self[index] == other[same] { same += 1 }
        if same == other.count { return index + 1 - same }
      }
      return nil
    }
  }
}
