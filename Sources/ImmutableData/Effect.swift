/// What is to be done because of an action, as a value: it runs beside the reducer, and comes back as
/// actions.
///
/// ```swift
/// Effect("animals.delete", lane: "animals.write", session.deleteAnimalMutation(animalId: animalId))
/// ```
///
/// A listener answers actions with effects (``EffectLanes/listen(to:onError:effects:)``), and so may a
/// reducer (``Update``). ``Operations`` makes thunks that always end.
public struct Effect<State: Sendable, Action: Sendable>: Sendable {
  /// A unit of asynchronous work that selects and dispatches.
  public typealias Thunk =
    @Sendable (ViewStore<State, Action>, ViewStore<State, Action>) async throws -> Void

  /// Names it to middleware, and to whoever cancels it.
  public let name: String
  /// What it waits for: the effects that were begun before in the same lane; `nil`: none.
  public let lane: String?
  /// Whether it is still wanted when its turn comes.
  let isWanted: @Sendable (State) -> Bool
  let thunk: Thunk

  /// - Parameters:
  ///   - name: Names it to middleware, and to whoever cancels it.
  ///   - lane: What it waits for: the effects that were begun before in the same lane; `nil`: none.
  ///   - isWanted: Whether it is still wanted when its turn comes.
  ///   - thunk: What it does.
  public init(
    _ name: String,
    lane: String? = nil,
    while isWanted: @escaping @Sendable (State) -> Bool = { _ in true },
    _ thunk: @escaping Thunk
  ) {
    self.name = name
    self.lane = lane
    self.isWanted = isWanted
    self.thunk = thunk
  }

  /// Dispatches an action, after the one that called for it.
  public static func dispatching(_ action: Action) -> Self {
    Self("dispatch") { store, _ in try await store.dispatch(action: action) }
  }

  /// The effect of a whole that this is the effect of a part of.
  func pullback<S, A>(_ cursor: Cursor<S, A, State, Action>) -> Effect<S, A> {
    let thunk: Effect<S, A>.Thunk = { store, _ in
      let part = store.viewStore(get: cursor.get, tag: cursor.tag)
      try await self.thunk(part, part)
    }
    return Effect<S, A>(
      self.name,
      lane: self.lane,
      while: { self.isWanted(cursor.get($0)) },
      thunk
    )
  }
}
