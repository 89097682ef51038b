import Foundation
import PlainText

/// A search in the names of animals. It ignores case and accents.
public struct AnimalSearch: Hashable, Sendable {
  /// The same for all texts that find the same animals.
  let folded: FoldedText

  /// The maximum length, in characters. A longer search finds everything, like an empty one.
  public static var characterLimit: Int { Animal.nameLimit }

  /// - Parameter text: The text as it was entered; surrounding white space is ignored.
  /// - Complexity: O(n), n bytes, which are few.
  public init(_ text: String = "") {
    guard text.utf8.count <= AnimalName.byteLimit else {
      self.folded = FoldedText("")
      return
    }
    self.folded = FoldedText(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Whether the search is empty, so that it finds everything.
  public var isEmpty: Bool { self.folded.isEmpty }

  /// - Complexity: O(n), n bytes of the name.
  public func finds(_ animal: Animal) -> Bool {
    self.isEmpty || FoldedText(animal.name).string.contains(self.folded.string)
  }
}
