/// A folded text to be found in others.
struct SearchPattern: Sendable {
  private let bytes: [UInt8]
  /// For each beginning of the bytes, how much of its end is a beginning of them, too.
  private let ends: [Int]

  /// - Complexity: O(m), m bytes.
  init(_ text: FoldedText) {
    self.bytes = text.bytes
    var (ends, same) = (Array(repeating: 0, count: self.bytes.count), 0)
    for index in self.bytes.indices.dropFirst() {
      while same > 0, self.bytes[index] != self.bytes[same] { same = ends[same - 1] }
      if self.bytes[index] == self.bytes[same] { same += 1 }
      ends[index] = same
    }
    self.ends = ends
  }

  /// Where it first occurs in a text at or after an offset.
  ///
  /// - Parameter text: A folded text, or one in ASCII, which is folded as it is read.
  /// - Complexity: O(n), n bytes of the text, also if they repeat themselves.
  ///
  /// Source: Knuth, Morris and Pratt, Fast Pattern Matching in Strings.
  func offset(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
    self.bytes.withUnsafeBufferPointer { bytes in
      self.ends.withUnsafeBufferPointer { ends in
        guard bytes.isEmpty == false else { return start }
        var same = 0
        for index in start..<text.count {
          let byte = text[index].lowercased
          while same > 0, byte != bytes[same] { same = ends[same - 1] }
          if byte == bytes[same] { same += 1 }
          if same == bytes.count { return index + 1 - same }
        }
        return nil
      }
    }
  }
}

extension UInt8 {
  /// A letter of ASCII in lower case; any other byte as it is.
  var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}

extension UnsafeBufferPointer<UInt8> {
  var isASCII: Bool { self.reduce(0, |) < 0x80 }
}
