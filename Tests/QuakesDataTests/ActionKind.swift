@testable import QuakesData

/// Every action of the domain, without its values: what tests of filters go through.
enum ActionKind: CaseIterable, Hashable, Sendable {
  case onAppear
  case onTapRefresh
  case onTapDeleteSelected
  case onTapDeleteAll
  case onTapRestore
  case onTapRestoreAll
  case onTapLoadSample
  case onTapCancelRefresh
  case onTapDismissFailure
  case didFetchLocal
  case didFetchLocalFailure
  case didFailToSave
  case didFailToDelete
  case didFetchAgain
  case didFetchAgainFailure
  case didFetchRemote
  case didFetchRemoteFailure
  case didSkip
  case didFetchEverything
  case didChangeElsewhere
}

// Without a `default`, so that a new action asks for a kind here.
extension ActionKind {
  init(of action: QuakesAction) {
    switch action {
    case .ui(.quakeList(.onAppear)): self = .onAppear
    case .ui(.quakeList(.onTapRefreshQuakesButton)): self = .onTapRefresh
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)): self = .onTapDeleteSelected
    case .ui(.quakeList(.onTapDeleteAllQuakesButton)): self = .onTapDeleteAll
    case .ui(.quakeList(.onTapRestoreQuakeButton)): self = .onTapRestore
    case .ui(.quakeList(.onTapRestoreQuakesButton)): self = .onTapRestoreAll
    case .ui(.quakeList(.onTapLoadSampleButton)): self = .onTapLoadSample
    case .ui(.quakeList(.onTapCancelRefreshButton)): self = .onTapCancelRefresh
    case .ui(.quakeList(.onTapDismissFailureButton)): self = .onTapDismissFailure
    case .data(.persistentSession(.localStore(let action))): self.init(of: action)
    case .data(.persistentSession(.remoteStore(.didFetchQuakes(.success)))): self = .didFetchRemote
    case .data(.persistentSession(.remoteStore(.didFetchQuakes(.failure)))):
      self = .didFetchRemoteFailure
    case .data(.persistentSession(.remoteStore(.didSkipFeatures))): self = .didSkip
    case .data(.persistentSession(.remoteStore(.didFetchEverything))): self = .didFetchEverything
    }
  }

  private init(of action: QuakesAction.Data.PersistentSession.LocalStore) {
    switch action {
    case .didFetchQuakes(.success): self = .didFetchLocal
    case .didFetchQuakes(.failure): self = .didFetchLocalFailure
    case .didFailToSaveQuakes: self = .didFailToSave
    case .didFailToDeleteQuakes: self = .didFailToDelete
    case .didFetchQuakesAgain(_, .success): self = .didFetchAgain
    case .didFetchQuakesAgain(_, .failure): self = .didFetchAgainFailure
    case .didChangeElsewhere: self = .didChangeElsewhere
    }
  }

  /// Whether a store has answered; else somebody has done something in a window.
  var isAnswer: Bool {
    if case .data = QuakesAction.make(self) { true } else { false }
  }
}

extension QuakesAction {
  /// An action of a kind, with these values where it has such.
  static func make(
    _ kind: ActionKind,
    id: Quake.ID = "a",
    quakes: [Quake] = [.a, .b, .c]
  ) -> Self {
    switch kind {
    case .onAppear: .onAppear
    case .onTapRefresh: .onTapRefresh
    case .onTapDeleteSelected: .onTapDelete(id)
    case .onTapDeleteAll: .onTapDeleteAll
    case .onTapRestore: .ui(.quakeList(.onTapRestoreQuakeButton(quakes.first ?? .a)))
    case .onTapRestoreAll: .onTapRestoreAll(1)
    case .onTapLoadSample: .onTapLoadSample
    case .onTapCancelRefresh: .onTapCancelRefresh
    case .onTapDismissFailure: .ui(.quakeList(.onTapDismissFailureButton))
    case .didFetchLocal: .didFetchLocal(quakes)
    case .didFetchLocalFailure: .localStore(.didFetchQuakes(result: .failure(error: "Disk")))
    case .didFailToSave: .localStore(.didFailToSaveQuakes(error: "Full"))
    case .didFailToDelete: .localStore(.didFailToDeleteQuakes(error: "Locked"))
    case .didFetchAgain: .didFetchAgain(quakes)
    case .didFetchAgainFailure:
      .localStore(.didFetchQuakesAgain(error: "Locked", result: .failure(error: "Disk")))
    case .didFetchRemote: .didFetchRemote(quakes)
    case .didFetchRemoteFailure: .remoteStore(.didFetchQuakes(result: .failure(error: "Net")))
    case .didSkip: .remoteStore(.didSkipFeatures(count: 3))
    case .didFetchEverything: .remoteStore(.didFetchEverything(until: .day))
    case .didChangeElsewhere: .localStore(.didChangeElsewhere(saved: quakes, deleted: [id]))
    }
  }

  static var onAppear: Self { .ui(.quakeList(.onAppear)) }
  static var onTapRefresh: Self { .ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))) }
  static var onTapDeleteAll: Self { .ui(.quakeList(.onTapDeleteAllQuakesButton)) }

  static var onTapCancelRefresh: Self { .ui(.quakeList(.onTapCancelRefreshButton)) }
  static var onTapLoadSample: Self { .ui(.quakeList(.onTapLoadSampleButton)) }

  static func onTapRestoreAll(_ deletion: Int) -> Self {
    .ui(.quakeList(.onTapRestoreQuakesButton(deletion: deletion)))
  }

  static func onTapDelete(_ quakeId: Quake.ID) -> Self {
    .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: quakeId)))
  }

  static func localStore(_ action: QuakesAction.Data.PersistentSession.LocalStore) -> Self {
    .data(.persistentSession(.localStore(action)))
  }

  static func remoteStore(_ action: QuakesAction.Data.PersistentSession.RemoteStore) -> Self {
    .data(.persistentSession(.remoteStore(action)))
  }

  static func didFetchLocal(_ quakes: [Quake]) -> Self {
    .localStore(.didFetchQuakes(result: .success(quakes: quakes)))
  }

  static func didFetchRemote(_ quakes: [Quake]) -> Self {
    .remoteStore(.didFetchQuakes(result: .success(quakes: quakes)))
  }

  static func didFetchAgain(_ quakes: [Quake], after error: String? = "Locked") -> Self {
    .localStore(.didFetchQuakesAgain(error: error, result: .success(quakes: quakes)))
  }
}
