/// A side effect of an action, as a value. It runs outside the reducer, and dispatches actions.
///
/// ```swift
/// Effect("notes.delete", of: id, lane: "notes.write", session.deleteNoteMutation(id: id))
/// ```
///
/// A listener returns effects for an action (``EffectLanes/listen(to:logger:effects:)``), and so
/// can a reducer (``Update``). ``Operations`` makes thunks that always end.
public struct Effect<State: Sendable, Action: Sendable>: Sendable {
  /// A unit of asynchronous work that selects and dispatches.
  public typealias Thunk =
    @Sendable (ViewStore<State, Action>, ViewStore<State, Action>) async throws -> Void

  /// The name by which middleware and ``EffectLanes/cancel(_:)`` know it.
  public let name: String
  /// What it works with, for comparisons of two builds (`Replay`); `nil` if it needs nothing.
  public let values: (any Sendable)?
  /// The effect waits for earlier effects in the same lane; with `nil` it waits for none.
  public let lane: String?
  private let condition: (@Sendable (State) -> Bool)?
  let thunk: Thunk

  /// - Parameters:
  ///   - name: The name by which middleware and ``EffectLanes/cancel(_:)`` know it.
  ///   - values: What it works with, so that comparisons of two builds can tell a changed effect.
  ///   - lane: The effect waits for earlier effects in the same lane; with `nil` it waits for none.
  ///   - isWanted: Whether it should still run when its turn comes. If several processes share the
  ///     store and one of them crashes, another one runs its unfinished effects. Without a condition,
  ///     the others cannot see that an effect has ended, so those of the last minutes run again.
  ///   - thunk: The work.
  public init(
    _ name: String,
    of values: (any Sendable)? = nil,
    lane: String? = nil,
    while isWanted: (@Sendable (State) -> Bool)? = nil,
    _ thunk: @escaping Thunk
  ) {
    self.name = name
    self.values = values
    self.lane = lane
    self.condition = isWanted
    self.thunk = thunk
  }

  /// An effect that dispatches an action after the current one.
  public static func dispatching(_ action: Action) -> Self {
    Self("dispatch", of: action) { store, _ in try await store.dispatch(action: action) }
  }

  /// Whether it should still run now that its turn has come. Without a condition, no state is
  /// selected.
  func isWanted(in state: @autoclosure () -> State) -> Bool {
    self.condition.map { $0(state()) } ?? true
  }

  var hasCondition: Bool { self.condition != nil }

  /// The same effect, which runs in any state.
  var unconditional: Self { Self(self.name, of: self.values, lane: self.lane, self.thunk) }

  /// Turns the effect of a part into an effect of the whole.
  func pullback<S, A>(_ cursor: Cursor<S, A, State, Action>) -> Effect<S, A> {
    let thunk: Effect<S, A>.Thunk = { store, _ in
      let part = store.viewStore(get: cursor.get, tag: cursor.tag)
      try await self.thunk(part, part)
    }
    var isWanted: (@Sendable (S) -> Bool)?
    if let condition { isWanted = { condition(cursor.get($0)) } }
    return Effect<S, A>(
      self.name, of: self.values, lane: self.lane, while: isWanted, thunk)
  }
}
