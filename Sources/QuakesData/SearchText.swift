import Foundation

/// What somebody looks for in the names of quakes.
public struct SearchText: Hashable, Sendable {
  /// As it was entered, in NFC. White space counts: names have some.
  public let text: String
  /// Without case and accents: texts that find the same quakes have the same.
  public let folded: String

  /// The most that is looked for; what is longer is as if nothing were.
  public static let characterLimit = 200
  public static let byteLimit = 400

  /// - Parameter text: As somebody entered it.
  /// - Complexity: O(n), n bytes, of which there are few.
  public init(_ text: String) {
    guard Self.isShort(text) else {
      self.text = ""
      self.folded = ""
      return
    }
    self.text = text.precomposedStringWithCanonicalMapping
    self.folded = FoldedText(self.text).string
  }

  /// Whether a text is looked for at all.
  private static func isShort(_ text: String) -> Bool {
    text.utf8.count <= Self.byteLimit && text.count <= Self.characterLimit
  }
}
