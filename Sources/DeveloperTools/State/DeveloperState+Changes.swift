import ImmutableData

/// The differences between any two recorded states of a product.
struct StateChanges: Hashable, Sendable {
  /// The action after which the first state was reached; `nil` for the state before all actions.
  let since: Entry?
  /// The action after which the second state was reached; `nil` for now.
  let at: Entry?
  /// `nil` if one of the states is not recorded, or no longer.
  let difference: StateDifference?
}

extension DeveloperState {
  /// The differences from the state after one entry to the state after another.
  ///
  /// - Parameters:
  ///   - since: The number of an entry, or the number before the oldest. It may be newer than the
  ///     other one.
  ///   - id: The number of the other entry; `nil` for now.
  /// - Complexity: That of ``StateDifference``, and O(n) for n entries.
  func changes(of product: String, since: Int, to id: Int?) -> StateChanges {
    let (old, new) = (self.state(of: product, after: since), self.state(of: product, after: id))
    return StateChanges(
      since: self.entries[since],
      at: id.flatMap { self.entries[$0] },
      difference: old.flatMap { old in new.map { StateDifference(from: old, to: $0) } }
    )
  }

  /// What all that is shown of some states depends on: whether each is recorded, and the version of
  /// the present, if that is among them.
  ///
  /// - Parameter ids: The numbers of entries after which the product was in the states; `nil` for
  ///   now.
  static func selectBasis(of product: String, after ids: [Int?]) -> @Sendable (Self) -> [Basis] {
    { state in
      ids.map { id in
        // While nothing is recorded, the state before the oldest entry is the present.
        let isEntry = id.map { state.entries[$0] != nil } ?? false
        return Basis(
          isRecorded: id.map { state.isRecorded($0, of: product) } ?? true,
          present: isEntry ? nil : state.presents[product]?.version
        )
      }
    }
  }

  struct Basis: Hashable, Sendable {
    let isRecorded: Bool
    let present: UInt64?
  }
}
