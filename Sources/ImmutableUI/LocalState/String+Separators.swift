// Texts that are made of parts and separators. A `Character` may be a separator together with a mark
// after it, or with certain letters before it, so separators are found as scalars.
extension StringProtocol {
  /// The parts between separators, including empty ones.
  ///
  /// - Parameters:
  ///   - separator: A scalar.
  ///   - maxSplits: The maximum number of separators; the last part has the others.
  /// - Complexity: O(n), n scalars.
  package func parts(between separator: Unicode.Scalar, maxSplits: Int = .max) -> [String] {
    String(self).unicodeScalars
      .split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false)
      .map { String($0) }
  }

  /// The text with each occurrence replaced, as bytes.
  ///
  /// - Complexity: O(n), n bytes.
  package func replacingBytes(_ text: String, with other: String) -> String {
    String(decoding: Array(self.utf8).replacing(text.utf8, with: other.utf8), as: UTF8.self)
  }
}
