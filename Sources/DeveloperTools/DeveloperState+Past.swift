import ImmutableData
import ImmutableUI

extension DeveloperState {
  /// How many effects are listed.
  static let effectLimit = 100

  /// The action after which everything is to be shown.
  ///
  /// - Throws: ``Refusal`` if that cannot be.
  func entry(toGoBackTo id: Int) throws -> Entry {
    try self.requireDispatch()
    if let obstacle = self.pastObstacle() { throw Refusal(.conflict, obstacle) }
    guard let entry = self.entries[id], entry.whole != nil else {
      throw Refusal(.unknown, "This action is no longer recorded. Choose another.")
    }
    return entry
  }

  /// - Throws: ``Refusal`` while everything is shown as it was.
  func refuseInThePast() throws {
    guard self.past == nil else {
      throw Refusal(.conflict, "Everything is shown as it was. Go back to now first.")
    }
  }

  /// What is shown of the past; `nil`: everything is as it is now.
  static func selectPast() -> @Sendable (Self) -> Past? {
    { state in
      state.past.map { entry in
        let effects = state.entries(of: nil).lazy.prefix { $0.id > entry.id }
          .filter { $0.dispatch.origin?.effect != nil }
        return Past(entry: entry, effects: Array(effects.prefix(Self.effectLimit)))
      }
    }
  }

  struct Past: Hashable, Sendable {
    /// The action after which everything is shown.
    let entry: Entry
    /// What effects have dispatched since, the newest first.
    let effects: [Entry]
  }
}
