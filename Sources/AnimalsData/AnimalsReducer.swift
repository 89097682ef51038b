import HashTreeCollections
import ImmutableData

/// Computes the next catalog.
///
/// Source: the guide, chapter AnimalsData, section AnimalsReducer.
public enum AnimalsReducer {
  /// - Throws: ``Error``; the state is then unchanged.
  /// - Complexity: O(log n), n animals; for the result of a fetch, a refresh or a reload,
  ///   O(m log n), m elements in it.
  @Sendable public static func reduce(
    state: AnimalsState,
    action: AnimalsAction
  ) throws -> AnimalsState {
    if let id = action.changedAnimalId, state.animals.data[id] == nil {
      throw Error(code: .animalNotFound)
    }
    return try self.apply(action, to: state)
  }

  /// - Throws: ``Error``; the state is then unchanged.
  private static func apply(_ action: AnimalsAction, to state: AnimalsState) throws -> AnimalsState
  {
    var state = state
    switch action {
    case .ui(let action):
      try state.reduce(action)
    case .data(.persistentSession(let action)):
      state.reduce(action)
    }
    return state
  }
}

// Beyond the guide.
extension AnimalsReducer {
  /// The minimum number of finished operations whose status is remembered. At twice as many, the
  /// oldest are dropped.
  public static var statusLimit: Int { 1_000 }

  /// Reduces, and refuses some actions that the guide accepts. For stores whose users need an
  /// answer. An operation ends even if a refresh has removed its animal meanwhile.
  ///
  /// - Throws: ``Error``; the state is then unchanged. In addition to the errors of
  ///   ``reduce(state:action:)``: a change of an animal that is already being changed, a reload
  ///   during a fetch or a change, a change during a reload, a missing category, a new animal whose
  ///   placeholder is the id of another, a name that cannot be shown or is too long, an animal beyond
  ///   the limit (``AnimalsState/animalLimit``), and a change of an animal while it is unknown which
  ///   animals exist, because they could not be read.
  @Sendable public static func reduceOrRefuse(
    state: AnimalsState,
    action: AnimalsAction
  ) throws -> AnimalsState {
    if case .ui(let action) = action { try self.check(action, in: state) }
    var next = try self.reduceKnown(state: state, action: action)
    if case .ui(let action) = action, let id = action.animalId,
      state.animals.queue[id] == .waiting
    {
      throw Error(code: .animalIsWaiting)
    }
    next.remember(action)
    return next
  }

  private static func check(_ action: AnimalsAction.UI, in state: AnimalsState) throws {
    // The result of the reload would undo the change.
    guard state.isReloading == nil || action.animalId == nil else {
      throw Error(code: .animalsAreWaiting)
    }
    // Of valid ids, those that Unicode calls equivalent have the same bytes.
    if let id = action.animalId, CatalogID.isValid(id) == false {
      throw Error(code: .animalNotFound)
    }
    switch action {
    case .categoryList(.onTapReloadSampleDataButton):
      guard state.isWaiting == false else { throw Error(code: .animalsAreWaiting) }
    case .animalList(.onTapRestoreAnimalButton(let animal)):
      guard state.animals.data[animal.id] == nil else { throw Error(code: .animalExists) }
      guard state.hasCategory(animal.categoryId) else { throw Error(code: .noCategoryToRestoreTo) }
      try self.checkRoom(in: state)
    case .animalEditor(.onTapAddAnimalButton(let id, let name, diet: _, let categoryId)):
      guard state.animals.data[id] == nil else { throw Error(code: .animalIsWaiting) }
      try self.check(name)
      try self.check(categoryId: categoryId, in: state)
      try self.checkRoom(in: state)
    case .animalEditor(.onTapUpdateAnimalButton(animalId: _, let name, diet: _, let categoryId)):
      try self.check(name)
      try self.check(categoryId: categoryId, in: state)
    case .animalEditor(.onTapSaveChangesButton(animalId: _, let changes)):
      if let name = changes.name { try self.check(name) }
      if let categoryId = changes.categoryId { try self.check(categoryId: categoryId, in: state) }
    case .categoryList(.onAppear), .categoryList(.onTapRefreshButton),
      .categoryList(.onTapDismissFailureButton), .animalList(.onAppear),
      .animalList(.onTapDeleteSelectedAnimalButton), .animalList(.onTapFavoriteButton),
      .animalList(.onTapMoveButton), .animalList(.onTapUndoMoveButton),
      .animalList(.onTapDismissFailureButton), .animalDetail:
      break
    }
  }

  private static func reduceKnown(
    state: AnimalsState,
    action: AnimalsAction
  ) throws -> AnimalsState {
    if let id = action.changedAnimalId, state.animals.data[id] == nil,
      state.animals.queue[id] != .waiting
    {
      throw Error(code: .animalNotFound)
    }
    do {
      return try self.apply(action, to: state)
    } catch let error as Error where error.code == .animalNotFound {
      guard case .ui = action, state.isUnread else { throw error }
      throw Error(code: .animalsNotRead)
    }
  }

  private static func check(_ name: String) throws {
    do {
      _ = try AnimalName(name)
    } catch {
      throw Error(code: .nameNotUsable(error))
    }
  }

  private static func check(categoryId: Category.ID, in state: AnimalsState) throws {
    guard CatalogID.isValid(categoryId), state.hasCategory(categoryId) else {
      throw Error(code: .categoryNotFound)
    }
  }

  private static func checkRoom(in state: AnimalsState) throws {
    guard state.isFull == false else { throw Error(code: .catalogFull) }
  }
}

extension AnimalsState {
  /// Whether it is still unknown which animals exist.
  fileprivate var isUnread: Bool {
    self.animals.status != .success && self.animals.data.isEmpty
  }

  /// Whether a category exists, as far as is known.
  fileprivate func hasCategory(_ categoryId: Category.ID) -> Bool {
    self.categories.status != .success || self.categories.data[exactly: categoryId] != nil
  }

  /// Remembers what windows show of an operation that has ended: that it has, why an animal could not
  /// be deleted, in the same place as a failed mark, and which animal a placeholder became.
  fileprivate mutating func remember(_ action: AnimalsAction) {
    switch action {
    case .ui(.categoryList(.onTapReloadSampleDataButton)):
      self.isReloading = true
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton)),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton)):
      self.animals.failure = nil
    case .ui:
      break
    case .data(.persistentSession(let action)):
      if case .didAddAnimal(let id, .success(let animal)) = action {
        self.animals.added[id] = animal.id
      }
      if case .didDeleteAnimal(let id, .failure(let error)) = action {
        self.animals.failure = ChangeFailure(animalId: id, isDeletion: true, error: error)
      }
      // A store that answers with another animal does not leave this one waiting for ever.
      if case .didDeleteAnimal(let id, .success) = action, self.animals.queue[id] == .waiting {
        self.animals.setStatus(.success, of: id)
      }
      if let id = action.endedId { self.didEnd(id) }
      if self.animals.status != .waiting { self.isReloading = nil }
    }
  }

  /// Drops the results of operations after many later ones, when no window can be waiting for them.
  private mutating func didEnd(_ id: Animal.ID) {
    let expired = self.animals.ended.didEnd(id, limit: AnimalsReducer.statusLimit)
    for id in expired where self.animals.queue[id] != .waiting {
      self.animals.setStatus(nil, of: id)
      self.animals.added[id] = nil
    }
  }
}

extension AnimalsReducer {
  package struct Error: Swift.Error {
    package enum Code: Hashable, Sendable {
      case animalNotFound
      // Beyond the guide:
      /// It is unknown whether the animal exists.
      case animalsNotRead
      case categoryNotFound
      /// The animal to restore already exists.
      case animalExists
      case noCategoryToRestoreTo
      /// An operation on this animal is still in progress.
      case animalIsWaiting
      /// An operation on some animal is still in progress, so nothing can be reloaded; or everything
      /// is being reloaded, so no animal can be changed.
      case animalsAreWaiting
      case nameNotUsable(AnimalName.Problem)
      /// The limit of animals is reached.
      case catalogFull
      /// Neither of the two animals to move between exists, or there is no room between them.
      case positionNotFound
      case picturesNotKept
    }

    package let code: Self.Code
  }
}

// The actions of users.
extension AnimalsState {
  fileprivate mutating func reduce(_ action: AnimalsAction.UI) throws {
    switch action {
    case .categoryList(.onAppear):
      if self.categories.status == nil {
        self.categories.status = .waiting
      }
    case .categoryList(.onTapReloadSampleDataButton):
      // As in the guide: a fetch in progress is not disturbed.
      guard self.isFetching == false else { return }
      self.beginFetching()
    case .categoryList(.onTapRefreshButton):
      self.beginFetching()
    case .categoryList(.onTapDismissFailureButton):
      // Without rows the failure stays, because it is the reason why there are none.
      if self.categories.status?.error != nil, self.categories.data.isEmpty == false {
        self.categories.status = .success
      }
      if self.animals.status?.error != nil, self.animals.data.isEmpty == false {
        self.animals.status = .success
      }
    case .animalList(.onAppear):
      if self.animals.status == nil {
        self.animals.status = .waiting
      }
    case .animalList(.onTapDeleteSelectedAnimalButton(let animalId)),
      .animalDetail(.onTapDeleteSelectedAnimalButton(let animalId)):
      try self.beginChanging(animalId)
    case .animalList(.onTapRestoreAnimalButton(let animal)):
      self.animals.setStatus(.waiting, of: animal.id)
    case .animalList(.onTapFavoriteButton(let animalId, isFavorite: _)),
      .animalDetail(.onTapFavoriteButton(let animalId, isFavorite: _)),
      .animalList(.onTapUndoMoveButton(let animalId, position: _)):
      try self.beginMarking(animalId)
    case .animalDetail(.onChoosePicture(let animalId, picture: _)):
      guard self.noPictures == nil else { throw AnimalsReducer.Error(code: .picturesNotKept) }
      try self.beginMarking(animalId)
    case .animalList(.onTapMoveButton(let animalId, let after, let before)):
      guard self.animals.data.position(after: after, before: before) != nil else {
        throw AnimalsReducer.Error(code: .positionNotFound)
      }
      try self.beginMarking(animalId)
    case .animalList(.onTapDismissFailureButton):
      self.animals.failure = nil
    case .animalEditor(.onTapAddAnimalButton(let id, name: _, diet: _, categoryId: _)):
      self.animals.setStatus(.waiting, of: id)
    case .animalEditor(.onTapUpdateAnimalButton(let animalId, name: _, diet: _, categoryId: _)),
      .animalEditor(.onTapSaveChangesButton(let animalId, changes: _)):
      try self.beginChanging(animalId)
    }
  }

  private mutating func beginFetching() {
    self.categories.status = .waiting
    self.animals.status = .waiting
  }

  private mutating func beginChanging(_ animalId: Animal.ID) throws {
    guard self.animals.data[exactly: animalId] != nil else {
      throw AnimalsReducer.Error(code: .animalNotFound)
    }
    self.animals.setStatus(.waiting, of: animalId)
  }

  private mutating func beginMarking(_ animalId: Animal.ID) throws {
    try self.beginChanging(animalId)
    self.animals.failure = nil
  }
}

// The answers of the store.
extension AnimalsState {
  fileprivate mutating func reduce(_ action: AnimalsAction.Data.PersistentSession) {
    switch action {
    case .didFetchCategories(.success(let categories)):
      self.categories.data.insert(categories)
      self.categories.status = .success
    case .didFetchCategories(.failure(let error)):
      self.categories.status = .failure(error: error)
    case .didFetchAnimals(.success(let animals)):
      self.animals.table.insert(animals)
      self.animals.status = .success
    case .didFetchAnimals(.failure(let error)):
      self.animals.status = .failure(error: error)
    case .didReloadSampleData(.success(let animals, let categories)),
      .didRefresh(.success(let animals, let categories)):
      self.animals.table.replace(with: animals)
      self.animals.status = .success
      self.categories.data.replace(with: categories)
      self.categories.status = .success
    case .didReloadSampleData(.failure(let error)), .didRefresh(.failure(let error)):
      self.animals.status = .failure(error: error)
      self.categories.status = .failure(error: error)
    case .didAddAnimal(let id, .success(let animal)),
      .didUpdateAnimal(let id, .success(let animal)),
      .didMarkAnimal(let id, .success(let animal)):
      self.animals.table[animal.id] = animal
      self.animals.setStatus(.success, of: id)
    case .didDeleteAnimal(_, .success(let animal)):
      self.animals.table[animal.id] = nil
      self.animals.setStatus(.success, of: animal.id)
    case .didAddAnimal(let id, .failure(let error)), .didUpdateAnimal(let id, .failure(let error)),
      .didMarkAnimal(let id, .failure(let error)), .didDeleteAnimal(let id, .failure(let error)):
      self.animals.setStatus(.failure(error: error), of: id)
      if case .didMarkAnimal = action {
        self.animals.failure = ChangeFailure(animalId: id, isDeletion: false, error: error)
      }
    case .didChangeElsewhere(let change):
      self.apply(change)
    }
  }
}

extension AnimalsAction {
  /// The existing animal whose operation this ends.
  fileprivate var changedAnimalId: Animal.ID? {
    guard case .data(.persistentSession(let action)) = self else { return nil }
    if case .didAddAnimal = action { return nil }
    return action.endedId
  }
}
