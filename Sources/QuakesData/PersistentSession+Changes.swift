import HashTreeCollections
import ImmutableData

// Changes that others make to the local store.
extension PersistentSession {
  nonisolated func changes() -> OutsideEvents<QuakesState, QuakesAction> {
    OutsideEvents("quakes.changes") { following in
      try await self.localStore.followChanges {
        following.didConnect()
      } _: {
        try await following.perform { state in
          // A later read includes all changes.
          guard state.quakes.status != nil else { return nil }
          // In the lane of the writes, so that earlier writes are included.
          return Effect("read again", lane: "quakes.write", self.readChangesQuery())
        }
        following.didSucceed()
      }
    }
  }

  private nonisolated func readChangesQuery<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >() -> Thunk<Dispatcher, Selector> {
    self.operations.query { _ in
      let unsaved = await Set(self.unsaved.keys)
      return (quakes: try await self.localStore.fetchShowableQuakes(), unsaved: unsaved)
    } actions: { result, meanwhile, state in
      // A failure is not shown, because the windows' content may still be valid, and it is retried.
      guard case .success(let read) = result, meanwhile.isEverything == false else { return [] }
      func isNewer(_ id: Quake.ID) -> Bool {
        meanwhile.hasChanged(id) || read.unsaved.contains(id)
      }
      let saved = read.quakes.filter { quake in
        isNewer(quake.id) == false && state.quakes.data[quake.id] != quake
      }
      let ids = Set(read.quakes.lazy.map(\.id))
      let deleted = state.quakes.data.keys.filter { id in
        isNewer(id) == false && ids.contains(id) == false
      }
      guard saved.isEmpty == false || deleted.isEmpty == false else { return [] }
      return .local(.didChangeElsewhere(saved: saved, deleted: deleted))
    }
  }
}
