import Foundation
import PlainText

/// What somebody looks for in the names of animals, whatever its case and accents.
public struct AnimalSearch: Hashable, Sendable {
  /// Texts that find the same animals have the same.
  let folded: FoldedText

  /// The most that is looked for, in characters; what is longer finds everything, as if it were empty.
  public static var characterLimit: Int { Animal.nameLimit }

  /// - Parameter text: As somebody entered it; white space around it does not count.
  /// - Complexity: O(n), n bytes, of which there are few.
  public init(_ text: String = "") {
    guard text.utf8.count <= AnimalName.byteLimit else {
      self.folded = FoldedText("")
      return
    }
    self.folded = FoldedText(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Whether nothing is looked for, so that everything is found.
  public var isEmpty: Bool { self.folded.isEmpty }

  /// - Complexity: O(n), n bytes of the name.
  func finds(_ animal: Animal) -> Bool {
    self.isEmpty || FoldedText(animal.name).string.contains(self.folded.string)
  }
}
