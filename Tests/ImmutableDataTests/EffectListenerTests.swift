import ImmutableData
import TestSupport
import Testing

private struct NotesState: Sendable {
  var status: OperationStatus?
}

private enum NotesAction: Sendable {
  case onAppear
  case didFetch
}

private typealias NotesStore = Store<NotesState, NotesAction>

@MainActor private final class Listener: EffectListener<NotesState, NotesAction> {
  /// The actions that it was asked about.
  private(set) var actions: [NotesAction] = []

  override func effects(
    _ oldState: NotesState,
    _ newState: () -> NotesState,
    _ action: NotesAction
  ) -> [Effect] {
    self.actions.append(action)
    return switch action {
    case .onAppear:
      .begin("fetch", \.status, from: oldState, to: newState) { store, _ in
        try await store.dispatch(action: .didFetch)
      }
    case .didFetch: []
    }
  }
}

@MainActor struct EffectListenerTests {
  private func store(_ status: OperationStatus? = nil) -> NotesStore {
    NotesStore(initialState: NotesState(status: status)) { state, action in
      switch action {
      case .onAppear: NotesState(status: state.status ?? .waiting)
      case .didFetch: NotesState(status: .success)
      }
    }
  }

  @Test func `an operation begins when its status becomes waiting`() async throws {
    let listener = Listener(lanes: nil, label: "Notes")
    let store = self.store()
    listener.listen(to: store)
    var iterator = store.makeStream().makeAsyncIterator()

    try store.dispatch(action: .onAppear)
    try store.dispatch(action: .onAppear)
    for _ in 1...3 { _ = await iterator.next(isolation: #isolation) }

    #expect(listener.actions == [.onAppear, .onAppear, .didFetch])
    #expect(store.state.status == .success)
  }

  @Test func `a listener follows only the last store it was given`() throws {
    let listener = Listener(lanes: nil, label: "Notes")
    let (old, new) = (self.store(.success), self.store(.success))
    listener.listen(to: old)
    listener.listen(to: new)
    listener.listen(to: new)

    try old.dispatch(action: .onAppear)
    try new.dispatch(action: .didFetch)

    #expect(listener.actions == [.didFetch])
  }
}
