import ImmutableData
import ImmutableUI

extension DeveloperState {
  /// The maximum number of listed effects.
  static let effectLimit = 100

  /// The action to which everything is to be put back.
  ///
  /// - Throws: ``Refusal`` if that is not possible.
  func entry(toGoBackTo id: Int) throws -> Entry {
    try self.requireDispatch()
    if let obstacle = self.program.pastObstacle() { throw Refusal(.conflict, obstacle) }
    guard let entry = self.entries[id], entry.whole != nil else {
      throw Refusal(.unknown, "This action is no longer recorded. Choose another.")
    }
    return entry
  }

  /// - Throws: ``Refusal`` while everything is put back.
  func refuseInThePast() throws {
    guard self.past == nil else {
      throw Refusal(.conflict, "Everything is shown as it was. Go back to now first.")
    }
  }

  /// The shown past; `nil` if the present is shown.
  var shownPast: Past? {
    self.past.map { entry in
      let effects = self.entries(of: nil).lazy.prefix { $0.id > entry.id }
        .filter { $0.dispatch.origin?.effect != nil }
      return Past(entry: entry, effects: Array(effects.prefix(Self.effectLimit)))
    }
  }

  struct Past: Hashable, Sendable {
    /// The action to which everything is put back.
    let entry: Entry
    /// The actions that effects have dispatched since, newest first.
    let effects: [Entry]
  }
}
