package import HashTreeCollections

/// What all windows share: the earthquakes, and how the newest operation on them stands.
///
/// Its structure is no part of the interface: components read it through selectors.
///
/// Source: the guide, chapter QuakesData, section QuakesState; chapter Performance for
/// `TreeDictionary`.
public struct QuakesState: Hashable, Sendable {
  package var quakes: Quakes

  package init(quakes: Quakes) {
    self.quakes = quakes
  }
}

extension QuakesState {
  /// Nothing fetched yet.
  public init() {
    self.init(
      quakes: Quakes()
    )
  }
}

extension QuakesState {
  package struct Quakes: Hashable, Sendable {
    package var data: TreeDictionary<Quake.ID, Quake> = [:]
    /// Of the newest fetch, or the failure of a write since; `nil` before the first. It waits as
    /// long as a fetch is under way, and after it for ``rereads``.
    package var status: Status? = nil
    /// Beyond the guide: how many features of the newest refresh could not be read.
    package var skipped: Int = 0
    /// Beyond the guide: what was deleted while ``status`` waits, for what is being fetched may still
    /// have it.
    package var deletions: Deletions = Deletions()
    /// Beyond the guide: a write that failed while ``status`` waits, which shows when that ends.
    package var failure: String? = nil
    /// Beyond the guide: for each time that the local store has yet to be read again, in their order,
    /// what was deleted since that was known.
    package var rereads: [Deletions] = []
    /// Beyond the guide: how the fetch has ended, while ``status`` waits for ``rereads``.
    package var outcome: Status? = nil

    package init(
      data: TreeDictionary<Quake.ID, Quake> = [:],
      status: Status? = nil
    ) {
      self.data = data
      self.status = status
    }
  }
}

extension QuakesState.Quakes {
  /// What was deleted while something is being read, which may not know of it.
  package struct Deletions: Hashable, Sendable {
    package var quakeIds: TreeSet<Quake.ID> = []
    /// Whether everything was: then also what a store has of which the state knows nothing.
    package var isEverything = false

    package init(quakeIds: TreeSet<Quake.ID> = [], isEverything: Bool = false) {
      self.quakeIds = quakeIds
      self.isEverything = isEverything
    }
  }
}
