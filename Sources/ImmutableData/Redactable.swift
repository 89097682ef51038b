import HashTreeCollections

/// A value that may contain personal text, which people have entered.
///
/// A recording contains pseudonyms instead. Replace personal text case by case, without a
/// `default`, so that the compiler asks you to handle each new case.
///
/// ```swift
/// extension Note: Redactable {
///   func redacted(_ pseudonym: (String) -> String) -> Self {
///     Note(id: self.id, text: pseudonym(self.text))
///   }
/// }
/// ```
public protocol Redactable {
  /// The value with pseudonyms.
  ///
  /// - Parameter pseudonym: Makes the pseudonym of a text. Equal texts have equal pseudonyms.
  func redacted(_ pseudonym: (String) -> String) -> Self
}

/// A value that contains nothing personal.
public protocol Impersonal: Redactable {}

extension Impersonal {
  public func redacted(_ pseudonym: (String) -> String) -> Self { self }
}

extension Table: Redactable where Row: Redactable {
  /// - Complexity: O(n), n rows.
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(self.rows.mapValues { $0.redacted(pseudonym) })
  }
}
