import AnimalsData
import ImmutableData
import ImmutableUI

/// The move of an animal by a button. In a form, `Dog~Cat~Newt` moves the dog after the cat and
/// before the newt.
struct Move: Hashable, Sendable {
  let animalId: Animal.ID
  /// The animal before it; `nil` to make it the first.
  let after: Animal.ID?
  /// The animal after it; `nil` to make it the last.
  let before: Animal.ID?
}

extension Move: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", omittingEmptySubsequences: false)
      .map { String($0).unescapingTildes }
    guard parts.count == 3, parts[0].isEmpty == false else { return nil }
    // Ids of animals are not empty.
    let (after, before) = (parts[1].isEmpty ? nil : parts[1], parts[2].isEmpty ? nil : parts[2])
    self.init(animalId: parts[0], after: after, before: before)
  }

  var description: String {
    [self.animalId, self.after ?? "", self.before ?? ""]
      .map(\.escapingTildes)
      .joined(separator: "~")
  }
}

extension Move {
  static let up = Field<Move>.choice("up", .buttons, "Press a button.").optional()
  static let down = Field<Move>.choice("down", .buttons, "Press a button.").optional()
}

/// The moves of an animal by one place in its list.
struct Moves: Hashable, Sendable {
  /// `nil` if it is the first.
  let up: Move?
  /// `nil` if it is the last.
  let down: Move?

  /// No moves.
  init() {
    (self.up, self.down) = (nil, nil)
  }

  /// - Parameters:
  ///   - animalId: The animal.
  ///   - id: The id of the animal so many places after it, or before it if the offset is negative;
  ///     `nil` if there is none. The offset is at most ``reach``.
  init(of animalId: Animal.ID, _ id: (_ offset: Int) -> Animal.ID?) {
    self.up = id(-1).map { Move(animalId: animalId, after: id(-2), before: $0) }
    self.down = id(1).map { Move(animalId: animalId, after: $0, before: id(2)) }
  }

  /// How far away the animals are that a move by one place depends on.
  static let reach = 2
}

extension Move {
  /// The button for a move, if the move is possible.
  static func options(_ move: Move?, _ label: String) -> [FieldOption] {
    move.map { [FieldOption($0.description, label)] } ?? []
  }
}
