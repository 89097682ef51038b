import Foundation
import ImmutableData
import TestSupport
import Testing

// What docs/PRODUCTS.md shows, by the public interface alone.

private struct Note: Hashable, Identifiable, Sendable {
  let id: String
  var text = ""
}

private struct NotesState: Hashable, Sendable {
  var notes: [Note] = []
  var status: OperationStatus?
}

private enum NotesAction: Sendable {
  case onTapSave(Note)
  case didSave(Note)
  case didFail(reason: String)
}

private func reduce(_ state: NotesState, _ action: NotesAction) -> NotesState {
  var state = state
  switch action {
  case .onTapSave: state.status = .waiting
  case .didSave(let note):
    state.notes.append(note)
    state.status = .success
  case .didFail(let reason): state.status = .failure(error: reason)
  }
  return state
}

@MainActor private final class Listener {
  private let save: @Sendable (Note) async throws -> Void
  private let lanes: EffectLanes
  private let operations = Operations<Note.ID>()
  private var listening: Subscription?

  init(lanes: EffectLanes, save: @escaping @Sendable (Note) async throws -> Void) {
    self.save = save
    self.lanes = lanes
  }

  func listen(to store: Store<NotesState, NotesAction>) {
    self.listening = self.lanes.listen(to: store) { [save, operations] _, _, action in
      switch action {
      case .onTapSave(let note):
        let thunk: Effect<NotesState, NotesAction>.Thunk = operations.mutation { _ in
          try await save(note)
        } changed: { _ in
          [note.id]
        } actions: { result in
          switch result {
          case .success: [.didSave(note)]
          case .failure(let failure): [.didFail(reason: failure.reason)]
          }
        }
        return [Effect("notes.save", lane: "notes.write", thunk)]
      case .didSave, .didFail:
        return []
      }
    }
  }
}

private struct Full: LocalizedError {
  var errorDescription: String? { "The disk is full." }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct ProductListenerTests {
  @Test(arguments: [false, true])
  func `a product can listen with public API only`(isFull: Bool) async throws {
    let store = Store<NotesState, NotesAction>(initialState: NotesState()) { reduce($0, $1) }
    let listener = Listener(lanes: EffectLanes()) { _ in if isFull { throw Full() } }
    listener.listen(to: store)
    var iterator = store.makeStream().makeAsyncIterator()
    let note = Note(id: "a", text: "Milk")

    try store.dispatch(action: .onTapSave(note))
    #expect(store.state.status == .waiting)
    while store.state.status == .waiting { _ = await iterator.next(isolation: #isolation) }

    #expect(
      store.state
        == (isFull
          ? NotesState(status: .failure(error: "The disk is full."))
          : NotesState(notes: [note], status: .success))
    )
  }
}
