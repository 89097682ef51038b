/// A value that a user edits in a form while others may change it.
///
/// A form sends the value as it was when the form was opened, and the newest value that its window
/// has shown, in hidden fields. Compared with the value as it is now, they tell which parts both have
/// changed.
///
/// ```swift
/// let isSeen = (fields[seen] ?? nil) == note
/// let edited = EditedValue(now: note, was: fields[was] ?? nil, isSeen: isSeen)
/// guard edited.isUndecided(\.title, fields[title], fields[titleSide] ?? nil) == false else {
///   throw Refusal(.warning, "Someone else has changed the title. Choose which to keep.")
/// }
/// ```
public struct EditedValue<Value> {
  private let now: Value
  private let was: Value?
  private let isSeen: Bool

  /// - Parameters:
  ///   - now: The value as it is now.
  ///   - was: The value as it was when the form was opened; `nil` if that is unknown.
  ///   - isSeen: Whether the user has seen the value as it is now.
  public init(now: Value, was: Value?, isSeen: Bool) {
    self.now = now
    self.was = was
    self.isSeen = isSeen
  }

  /// The change of a part by others since the form was opened; `nil` if there is none.
  public func change<Part: Equatable>(of part: KeyPath<Value, Part>) -> Part? {
    guard let was = self.was, was[keyPath: part] != self.now[keyPath: part] else { return nil }
    return self.now[keyPath: part]
  }

  /// Whether saving would undo a change by others that the user has not decided about.
  ///
  /// - Parameters:
  ///   - part: The part of the value.
  ///   - mine: The part as the form sends it; `nil` if it does not.
  ///   - side: What the user has chosen; `nil` if nothing yet.
  public func isUndecided<Part: Equatable>(
    _ part: KeyPath<Value, Part>,
    _ mine: Part?,
    _ side: ConflictSide?
  ) -> Bool {
    guard let mine, mine != self.now[keyPath: part], side != .theirs else { return false }
    guard let was = self.was else { return self.isSeen == false }
    guard self.change(of: part) != nil else { return false }
    return side == .mine ? self.isSeen == false : mine != was[keyPath: part]
  }
}

/// Which of two changes of a field is saved: the user's own, or that of others.
public enum ConflictSide: String, CaseIterable, Hashable, Sendable {
  case mine
  case theirs
}

extension Field<ConflictSide> {
  /// The choice between two changes of a field. Without a conflict, nothing is chosen.
  public static func side(_ name: String) -> Field<ConflictSide?> {
    Self.choice(name, .boxes, of: ConflictSide.allCases, "Choose one.") { side in
      side == .mine ? "Keep mine" : "Take theirs"
    }.optional()
  }
}

extension ConflictSide? {
  /// The value of a field to save; `nil` if the user has not changed it, or takes that of others.
  public func kept<Value: Equatable>(_ value: Value, was: Value?) -> Value? {
    switch self {
    case .mine: value
    case .theirs: nil
    case nil: value == was ? nil : value
    }
  }
}
