import HashTreeCollections
import ImmutableData

/// Leads from what is known of the earthquakes to what is known next.
///
/// Source: the guide, chapter QuakesData, section QuakesReducer.
public enum QuakesReducer {
  /// - Throws: ``Error``; the state is then unchanged.
  /// - Complexity: O(log n), n quakes; for what a fetch brought, O(m log n), m quakes in the
  ///   action: of more than a thousand the effect leaves out those that change nothing.
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

extension QuakesState.Quakes {
  /// What somebody did.
  fileprivate mutating func reduce(_ action: QuakesAction.UI.QuakeList) throws {
    switch action {
    case .onAppear:
      if self.status == nil {
        self.status = .waiting
      }
    case .onTapRefreshQuakesButton, .onTapLoadSampleButton:
      if self.status != .waiting {
        self.skipped = 0
        self.status = .waiting
      }
    case .onTapCancelRefreshButton:
      if self.status == .waiting {
        self.status = .empty
      }
    case .onTapDeleteSelectedQuakeButton(let quakeId):
      guard let quake = self.data[quakeId] else {
        throw QuakesReducer.Error(code: .quakeNotFound)
      }
      self.table[quakeId] = nil
      self.deletedIDs.remember([quake])
    case .onTapRestoreQuakeButton(let quake):
      // What a refresh has brought meanwhile is newer.
      if self.data[quake.id] == nil { self.table[quake.id] = quake }
      self.deletedIDs.forget([quake])
    case .onTapRestoreQuakesButton(let deletion):
      // What a refresh has brought meanwhile is newer. Mostly there is nothing, and then it costs nothing.
      if self.table.isEmpty, self.deletion.number == deletion {
        self.table = self.deletion.table
        self.deletedIDs.forget(self.data.values)
      } else {
        let deleted = self.deleted(by: deletion)
        self.table.insert(deleted)
        self.deletedIDs.forget(deleted)
      }
      if self.deletion.number == deletion { self.deletion.table = Table() }
    case .onTapDeleteAllQuakesButton:
      guard self.table.isEmpty == false else { break }
      self.deletion = Deletion(number: self.deletion.number + 1, table: self.table)
      self.deletedIDs.remember(self.data.values)
      self.table = Table()
    }
  }

  /// What the local store answered.
  fileprivate mutating func reduce(_ action: QuakesAction.Data.PersistentSession.LocalStore) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      self.table.insert(quakes)
      self.status = .success
    case .didFetchQuakes(.failure(let error)):
      self.status = .failure(error: error)
    case .didFailToSaveQuakes(let error), .didFailToDeleteQuakes(let error):
      self.show(error)
    case .didChangeElsewhere(let quakes, let quakeIds):
      self.table.insert(quakes)
      for quakeId in quakeIds { self.table[quakeId] = nil }
    case .didFetchQuakesAgain(let error, .success(let quakes)):
      // What is here may be newer than what the store has.
      self.table.insert(quakes.lazy.filter { [table] in table[$0.id] == nil })
      if let error {
        self.show(error)
      }
    case .didFetchQuakesAgain(let error, .failure(let reason)):
      self.show(error.map { [$0, reason].joinedSentences } ?? reason)
    }
  }

  /// What the remote store answered.
  fileprivate mutating func reduce(_ action: QuakesAction.Data.PersistentSession.RemoteStore) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      let changes = self.changes(by: quakes)
      self.deletedIDs.forget(changes.inserted)
      self.table.insert(changes.inserted)
      self.table.insert(changes.updated)
      for quake in changes.deleted { self.table[quake.id] = nil }
      self.newCount = changes.inserted.count
      self.status = .success
    case .didFetchQuakes(.failure(let error)):
      self.status = .failure(error: error)
    case .didSkipFeatures(let count):
      self.skipped = count
    }
  }

  /// Shows that something has failed, unless a fetch is under way: the session shows it when that ends.
  private mutating func show(_ error: String) {
    if self.status != .waiting {
      self.status = .failure(error: error)
    }
  }
}

extension [String] {
  /// The sentences one after the other, each once.
  var joinedSentences: String {
    var sentences: [String] = []
    for sentence in self where sentences.contains(sentence) == false { sentences.append(sentence) }
    return sentences.joined(separator: " ")
  }
}
