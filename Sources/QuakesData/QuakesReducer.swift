import HashTreeCollections
import ImmutableData

/// Computes the next state of the earthquakes.
///
/// Source: the guide, chapter QuakesData, section QuakesReducer.
public enum QuakesReducer {
  /// - Throws: ``Error``; the state is then unchanged.
  /// - Complexity: O(log n), n quakes. For the result of a fetch, O(m log n), m quakes in the
  ///   action; O(1) if the effect has prepared it for this state (``PreparedQuakes``).
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
  /// The actions of users.
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
    case .onTapDismissFailureButton:
      if self.status?.error != nil {
        self.status = .empty
      }
    case .onTapDeleteSelectedQuakeButton(let quakeId):
      guard let quake = self.data[exactly: quakeId] else {
        throw QuakesReducer.Error(code: .quakeNotFound)
      }
      self.table[quakeId] = nil
      self.deletedIDs.remember([quake])
    case .onTapRestoreQuakeButton(let quake):
      // The result of a refresh in the meantime is newer.
      if self.data[quake.id] == nil { self.table[quake.id] = quake }
      self.deletedIDs.forget([quake])
    case .onTapRestoreQuakesButton(let deletion):
      guard self.deletion.number == deletion else { break }
      // The result of a refresh in the meantime is newer. Usually there is none, and the whole
      // table is restored at no cost.
      if self.table.count <= self.deletion.table.count,
        self.table.count + self.deletion.table.count <= self.limit ?? .max
      {
        var table = self.deletion.table
        table.insert(self.data.values)
        self.table = table
      } else {
        let changes = self.restoration(of: deletion)
        self.table.insert(changes.inserted)
        for quake in changes.deleted { self.table[quake.id] = nil }
      }
      self.deletedIDs.forget(self.deletion.table.rows.values)
      self.deletion.table = Table()
    case .onTapDeleteAllQuakesButton:
      guard self.table.isEmpty == false else { break }
      self.deletion = Deletion(number: self.deletion.number + 1, table: self.table)
      self.deletedIDs.remember(self.data.values)
      self.table = Table()
    }
  }

  /// The answers of the local store.
  fileprivate mutating func reduce(_ action: QuakesAction.Data.PersistentSession.LocalStore) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      self.table = PreparedQuakes.current.insertion(of: quakes, into: self.table)
      self.status = .success
    case .didFetchQuakes(.failure(let error)):
      self.status = .failure(error: error)
    case .didFailToSaveQuakes(let error), .didFailToDeleteQuakes(let error):
      self.show(error)
    case .didChangeElsewhere(let quakes, let quakeIds):
      self.table.insert(quakes)
      for quakeId in quakeIds { self.table[quakeId] = nil }
    case .didFetchQuakesAgain(let error, .success(let quakes)):
      // The state may be newer than the store.
      self.table.insert(quakes.lazy.filter { [table] in table[$0.id] == nil })
      if let error {
        self.show(error)
      }
    case .didFetchQuakesAgain(let error, .failure(let reason)):
      self.show(error.map { [$0, reason].joinedSentences } ?? reason)
    }
  }

  /// The answers of the remote store.
  fileprivate mutating func reduce(_ action: QuakesAction.Data.PersistentSession.RemoteStore) {
    switch action {
    case .didFetchQuakes(.success(let fetched)):
      // A refresh that nobody has requested does not bring back what was deleted since it began.
      let quakes =
        self.status == .waiting
        ? fetched : self.deletedIDs.others(in: fetched, besides: self.table)
      let refresh = PreparedQuakes.current.refresh(of: self, by: quakes)
      self.deletedIDs.forget(refresh.changes.inserted)
      self.table = refresh.table
      self.newCount = refresh.changes.inserted.count
      self.status = .success
    case .didFetchQuakes(.failure(let error)):
      self.status = .failure(error: error)
    case .didSkipFeatures(let count):
      self.skipped = count
    case .didFetchEverything(let time):
      self.completeUntil = time
    }
  }

  /// Shows a failure, unless a fetch is in progress. The session then shows it when the fetch ends.
  private mutating func show(_ error: String) {
    if self.status != .waiting {
      self.status = .failure(error: error)
    }
  }
}

extension [String] {
  /// The sentences in order, without duplicates.
  var joinedSentences: String {
    var sentences: [String] = []
    for sentence in self where sentences.contains(sentence) == false { sentences.append(sentence) }
    return sentences.joined(separator: " ")
  }
}
