import HashTreeCollections

/// A value that may have personal texts in it: what people have entered.
///
/// A recording has pseudonyms in their place. Replace what is personal, case by case, without a
/// `default`: then the compiler asks about each case that is added.
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

/// A value that has nothing personal in it.
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
