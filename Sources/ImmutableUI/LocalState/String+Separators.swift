// Texts that are made of parts and separators. A `Character` may be a separator together with a mark
// after it, or with certain letters before it, so separators are found as scalars.

extension String {
  /// Several texts as one, for the value of a button, a hidden field or a parameter.
  ///
  /// ```swift
  /// String(joining: ["move", "Dog", "a~b"])  // "move~Dog~a%7Eb"
  /// ```
  ///
  /// - Complexity: O(n), n bytes.
  public init(joining texts: [String]) {
    self = texts.map { $0.replacingBytes("%", with: "%25").replacingBytes("~", with: "%7E") }
      .joined(separator: "~")
  }

  /// The texts that ``init(joining:)`` has joined.
  ///
  /// - Complexity: O(n), n bytes.
  public var joinedTexts: [String] {
    self.parts(between: "~").map {
      $0.replacingBytes("%7E", with: "~").replacingBytes("%25", with: "%")
    }
  }
}

extension StringProtocol {
  /// The parts between separators, including empty ones.
  ///
  /// - Parameter separator: A scalar.
  /// - Complexity: O(n), n scalars.
  package func parts(between separator: Unicode.Scalar) -> [String] {
    String(self).unicodeScalars.split(separator: separator, omittingEmptySubsequences: false)
      .map { String($0) }
  }

  /// The text with each occurrence replaced, as bytes.
  ///
  /// - Complexity: O(n), n bytes.
  package func replacingBytes(_ text: String, with other: String) -> String {
    // A search takes long, and the buttons of each row have several texts that need none.
    guard let first = text.utf8.first, self.utf8.contains(first) else { return String(self) }
    return String(decoding: Array(self.utf8).replacing(text.utf8, with: other.utf8), as: UTF8.self)
  }
}
