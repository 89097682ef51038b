import HashTreeCollections

/// Leads from what is known of the earthquakes to what is known next.
///
/// Source: the guide, chapter QuakesData, section QuakesReducer.
public enum QuakesReducer {
  /// - Throws: ``Error``; the state is then unchanged.
  /// - Complexity: O(log n), n quakes; for what a fetch brought, O(m log n), m quakes in the
  ///   action: of more than a thousand the effect leaves out those that change nothing; for deleting
  ///   all while something is being read, O(n).
  @Sendable public static func reduce(
    state: QuakesState,
    action: QuakesAction
  ) throws -> QuakesState {
    var state = state
    switch action {
    case .ui(.quakeList(let action)):
      try state.quakes.reduce(action)
    case .data(.persistentSession(.localStore(let action))):
      state.quakes.reduce(action)
    case .data(.persistentSession(.remoteStore(let action))):
      state.quakes.reduce(action)
    }
    return state
  }
}

extension QuakesReducer {
  package struct Error: Swift.Error {
    package enum Code: Hashable, Sendable {
      case quakeNotFound
    }

    package let code: Self.Code
  }
}

// What somebody did.
extension QuakesState.Quakes {
  fileprivate mutating func reduce(_ action: QuakesAction.UI.QuakeList) throws {
    switch action {
    case .onAppear:
      if self.status == nil {
        self.beginFetch()
      }
    case .onTapRefreshQuakesButton, .onTapLoadSampleButton:
      if self.status != .waiting {
        self.skipped = 0
        self.beginFetch()
      }
    case .onTapDeleteSelectedQuakeButton(let quakeId):
      guard self.data[quakeId] != nil else {
        throw QuakesReducer.Error(code: .quakeNotFound)
      }
      self.data[quakeId] = nil
      self.recordDeletion { $0.quakeIds.insert(quakeId) }
    case .onTapDeleteAllQuakesButton:
      let quakeIds = self.data.keys
      self.data = [:]
      self.recordDeletion { deletions in
        deletions.quakeIds.formUnion(quakeIds)
        deletions.isEverything = true
      }
    }
  }

  /// Tells whatever is being read of a deletion.
  private mutating func recordDeletion(_ record: (inout Deletions) -> Void) {
    if self.status == .waiting {
      record(&self.deletions)
    }
    for index in self.rereads.indices {
      record(&self.rereads[index])
    }
  }
}

// What the local store answered.
extension QuakesState.Quakes {
  fileprivate mutating func reduce(_ action: QuakesAction.Data.PersistentSession.LocalStore) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      self.insert(quakes, without: self.deletions) { _ in true }
      self.endFetch(.success)
    case .didFetchQuakes(.failure(let error)):
      self.endFetch(.failure(error: error))
    case .didFailToSaveQuakes(let error):
      self.show(error)
    case .didFailToDeleteQuakes(let error):
      self.rereads.append(Deletions())
      self.show(error)
    case .didMissQuakes:
      self.rereads.append(Deletions())
    case .didFetchQuakesAgain(let error, let result):
      self.didFetchQuakesAgain(error, result)
    }
  }

  private mutating func didFetchQuakesAgain(
    _ error: String?,
    _ result: QuakesAction.Data.PersistentSession.LocalStore.FetchQuakesResult
  ) {
    let deletions = self.rereads.isEmpty ? Deletions() : self.rereads.removeFirst()
    switch result {
    case .success(let quakes):
      // What is here may be newer than what the store has.
      self.insert(quakes, without: deletions) { $0 == nil }
      if let error {
        self.show(error)
      }
    case .failure(let reason):
      self.show(error.map { Self.joined($0, reason) } ?? reason)
    }
    if let outcome = self.outcome {
      self.endFetch(outcome)
    }
  }

  /// Touches only what differs, so that the rest of the tree stays shared with its older copies.
  private mutating func insert(
    _ quakes: [Quake],
    without deletions: Deletions,
    where isReplaced: (_ old: Quake?) -> Bool
  ) {
    guard deletions.isEverything == false else { return }
    for quake in quakes where deletions.quakeIds.contains(quake.id) == false {
      let old = self.data[quake.id]
      guard old != quake, isReplaced(old) else { continue }
      self.data[quake.id] = quake
      // It is there again: a refresh that is under way may bring news of it.
      self.deletions.quakeIds.remove(quake.id)
    }
  }
}

// What the remote store answered.
extension QuakesState.Quakes {
  fileprivate mutating func reduce(_ action: QuakesAction.Data.PersistentSession.RemoteStore) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      let changes = self.changes(by: quakes)
      for quake in changes.inserted { self.data[quake.id] = quake }
      for quake in changes.updated { self.data[quake.id] = quake }
      for quake in changes.deleted {
        self.data[quake.id] = nil
        self.recordDeletion { $0.quakeIds.insert(quake.id) }
      }
      self.endFetch(.success)
    case .didFetchQuakes(.failure(let error)):
      self.endFetch(.failure(error: error))
    case .didSkipFeatures(let count):
      self.skipped = count
    }
  }
}

// How it stands.
extension QuakesState.Quakes {
  private mutating func beginFetch() {
    self.status = .waiting
    self.outcome = nil
    self.deletions = Deletions()
    self.failure = nil
  }

  /// Whoever waits for it is to see everything: it ends when all is read.
  private mutating func endFetch(_ status: Status) {
    guard self.rereads.isEmpty else {
      self.outcome = status
      return
    }
    self.outcome = nil
    self.status = status
    self.deletions = Deletions()
    guard let failure = self.failure else { return }
    self.failure = nil
    if case .failure(let error) = status {
      self.status = .failure(error: Self.joined(failure, error))
    } else {
      self.status = .failure(error: failure)
    }
  }

  /// Shows that a write has failed: at once, or when the fetch ends that is waited for. Else nobody
  /// would know of that any more, and another could begin.
  private mutating func show(_ error: String) {
    if self.status == .waiting {
      self.failure = error
    } else {
      self.status = .failure(error: error)
    }
  }

  private static func joined(_ error: String, _ other: String) -> String {
    error == other ? error : "\(error) \(other)"
  }
}
