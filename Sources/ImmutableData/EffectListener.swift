import Logging

/// The base class of every product's `Listener`, which runs effects for the actions of a store.
///
/// ```swift
/// @MainActor final class Listener: EffectListener<NotesState, NotesAction> {
///   override func effects(
///     _ oldState: NotesState, _ newState: () -> NotesState, _ action: NotesAction
///   ) -> [Effect<NotesState, NotesAction>] {
///     switch action {
///     case .onAppear: .begin("fetch", \.status, from: oldState, to: newState, session.fetchQuery())
///     case .didFetch: []
///     }
///   }
/// }
/// ```
///
/// Source: the guide, chapter AnimalsData, section Listener.
@MainActor open class EffectListener<State: Sendable, Action: Sendable> {
  public typealias Effect = ImmutableData.Effect<State, Action>

  private var lanes: EffectLanes
  /// Whether nothing else shares the lanes.
  private let hasOwnLanes: Bool
  private let logger: Logger
  private let outside: [OutsideEvents<State, Action>]
  private weak var store: AnyObject?
  private var listening: Subscription?
  private var following: [Subscription] = []

  /// - Parameters:
  ///   - lanes: Where effects run; `nil` awaits each effect before the next, as in the guide.
  ///   - label: The label of the logger that receives the errors of effects.
  ///   - outside: The outside events to follow while it listens to a store.
  public init(
    lanes: EffectLanes?,
    label: String,
    outside: [OutsideEvents<State, Action>] = []
  ) {
    self.lanes = lanes ?? EffectLanes(isSerial: true)
    self.hasOwnLanes = lanes == nil
    self.logger = Logger(label: label)
    self.outside = outside
  }

  /// Starts to listen to a store. It stops listening to any other store, and cancels the operations
  /// that it has begun for that, as in the guide, unless the lanes were given.
  ///
  /// - Parameter store: The store whose actions cause effects, and to which the effects dispatch.
  public func listen(
    to store: some Dispatcher<State, Action> & Selector<State> & Streamer<State, Action> & AnyObject
  ) {
    guard self.store !== store else { return }
    self.store = store
    if self.hasOwnLanes, self.listening != nil {
      self.lanes.cancelAll()
      self.lanes = EffectLanes(isSerial: true)
    }
    self.listening = self.lanes.listen(to: store, logger: self.logger) {
      [weak self] oldState, newState, action in
      self?.effects(oldState, newState, action) ?? []
    }
    let viewStore = ViewStore(store)
    self.lanes.watch(self) { [weak self, weak store] in
      guard let self, let store else { return nil }
      return self.interrupted(in: store.state).map { action in
        Orphans.Ending(id: String(describing: action)) { try store.dispatch(action: action) }
      }
    }
    self.following = self.outside.map { events in
      self.lanes.whileLeading { [lanes, logger] in
        await events.run(on: viewStore, lanes: lanes, logger: logger)
      }
    }
  }

  /// Cancels effects by name; see ``EffectLanes/cancel(_:)``. Everything that shares the lanes
  /// shares the names.
  public func cancel(_ name: String) {
    self.lanes.cancel(name)
  }

  /// The actions that end the operations that wait in a state, by saying that they have failed.
  /// They are dispatched when no process runs these operations any more. Several processes may do
  /// that, so the actions must be the same in each. Returns none unless it is overridden.
  ///
  /// - Parameter state: The newest state.
  /// - Complexity: It is called repeatedly, so it should be O(n) for n statuses.
  open func interrupted(in state: State) -> [Action] {
    []
  }

  /// The effects of an action. Returns none unless it is overridden.
  ///
  /// - Parameters:
  ///   - oldState: The state before the action.
  ///   - newState: Selects the state after the action. As in the guide, the store is asked only if
  ///     that decides something.
  ///   - action: The action.
  open func effects(
    _ oldState: State,
    _ newState: () -> State,
    _ action: Action
  ) -> [Effect] {
    []
  }
}

extension Array {
  /// The effect of an operation whose status has just become waiting, otherwise none. It is skipped
  /// if the operation no longer waits when its turn comes.
  ///
  /// - Parameters:
  ///   - name: The name by which middleware and ``EffectLanes/cancel(_:)`` know it.
  ///   - values: What it works with, so that comparisons of two builds can tell a changed effect.
  ///   - lane: The effect waits for earlier effects in the same lane; with `nil` it waits for none.
  ///   - status: The operation's status.
  ///   - oldState: The state before the action.
  ///   - newState: Selects the state after the action.
  ///   - thunk: The work. It is evaluated only if the effect is needed.
  public static func begin<State, Action>(
    _ name: String,
    of values: (any Sendable)? = nil,
    lane: String? = nil,
    _ status: any KeyPath<State, OperationStatus?> & Sendable,
    from oldState: State,
    to newState: () -> State,
    _ thunk: @autoclosure () -> Effect<State, Action>.Thunk
  ) -> Self where Element == Effect<State, Action> {
    guard oldState[keyPath: status] != .waiting, newState()[keyPath: status] == .waiting else {
      return []
    }
    return [
      Effect(
        name, of: values, lane: lane, while: { $0[keyPath: status] == .waiting }, thunk())
    ]
  }
}
