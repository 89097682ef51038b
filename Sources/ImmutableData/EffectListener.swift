import Logging

/// What the `Listener` of every product is: it answers the actions of a store with effects.
///
/// ```swift
/// @MainActor final class Listener: EffectListener<NotesState, NotesAction> {
///   override func effects(
///     _ oldState: NotesState, _ state: NotesState, _ action: NotesAction
///   ) -> [Effect<NotesState, NotesAction>] {
///     switch action {
///     case .onAppear: .begin("fetch", \.status, from: oldState, to: state, session.fetchQuery())
///     case .didFetch: []
///     }
///   }
/// }
/// ```
///
/// Source: the guide, chapter AnimalsData, section Listener.
@MainActor open class EffectListener<State: Sendable, Action: Sendable> {
  public typealias Effect = ImmutableData.Effect<State, Action>

  private let lanes: EffectLanes
  private let logger: Logger
  private weak var store: AnyObject?
  private var listening: Listening?

  /// - Parameters:
  ///   - lanes: Where effects run; `nil`: each effect is awaited before the next, as the guide has it.
  ///   - label: Of the log that has what an effect throws.
  public init(lanes: EffectLanes?, label: String) {
    self.lanes = lanes ?? EffectLanes(isSerial: true)
    self.logger = Logger(label: label)
  }

  /// Listens from now on; to another store than before, instead of that.
  ///
  /// - Parameter store: Whose actions call for effects, and where those dispatch.
  public func listen(
    to store: some Dispatcher<State, Action> & Selector<State> & Streamer<State, Action> & AnyObject
  ) {
    guard self.store !== store else { return }
    self.store = store
    self.listening = self.lanes.listen(to: store) { [logger] error in
      logger.error("An effect has failed", metadata: ["error": "\(error)"])
    } effects: { [weak self] oldState, state, action in
      self?.effects(oldState, state, action) ?? []
    }
  }

  /// Ends the effects of a name: ``EffectLanes/cancel(_:)``. What shares the lanes shares the names.
  public func cancel(_ name: String) {
    self.lanes.cancel(name)
  }

  /// What an action calls for: nothing, unless it is overridden.
  ///
  /// - Parameters:
  ///   - oldState: The state before the action.
  ///   - state: That after it.
  ///   - action: What happened.
  open func effects(_ oldState: State, _ state: State, _ action: Action) -> [Effect] {
    []
  }
}

extension Array {
  /// The effect of an operation that has just become waiting; none if it is not, or was before. It is
  /// wanted as long as the operation waits, which only its end changes.
  ///
  /// - Parameters:
  ///   - name: Names it to middleware, and to whoever cancels it.
  ///   - lane: What it waits for: the effects that were begun before in the same lane; `nil`: none.
  ///   - status: How the operation stands.
  ///   - oldState: The state before the action that calls for it.
  ///   - state: That after it.
  ///   - thunk: What it does. It is made only if it is called for.
  public static func begin<State, Action>(
    _ name: String,
    lane: String? = nil,
    _ status: any KeyPath<State, OperationStatus?> & Sendable,
    from oldState: State,
    to state: State,
    _ thunk: @autoclosure () -> Effect<State, Action>.Thunk
  ) -> Self where Element == Effect<State, Action> {
    guard oldState[keyPath: status] != .waiting, state[keyPath: status] == .waiting else {
      return []
    }
    return [Effect(name, lane: lane, while: { $0[keyPath: status] == .waiting }, thunk())]
  }
}
