public import ImmutableData

/// The component that a page shows, made from the window's local state.
///
/// Equal roots show equal content, so that all windows with equal roots share one render.
///
/// ```swift
/// public struct Content: Root {
///   public init(_ local: NoLocalState = NoLocalState()) {}
///   public var body: some Component { … }
/// }
/// ```
///
/// Source: the guide, chapter AnimalsUI, section AnimalEditor (root components).
public protocol Root: Component, Hashable {
  associatedtype State: StoreState
  associatedtype Local: LocalState = NoLocalState

  /// - Parameter local: The window's local state, read from its URL. Keep only what the body uses:
  ///   windows share a render only if their roots are equal.
  init(_ local: Local)

  /// The document's title, for example with the name of the selection; `nil` uses the page's title.
  /// It is read while rendering, like the body, and a push updates it.
  ///
  /// ```swift
  /// var title: String? { self.animal.map { "\($0.name) · Animals" } }
  /// ```
  var title: String? { get }

  /// Refuses a posted form if its user has not seen a later change. Pure.
  ///
  /// It receives the newest state that this process has. If other processes share the store, and have
  /// a newer state, a refusal counts only if that state leads to one too. The action is reduced in the
  /// checked state, unless an action of another process comes between. A rule that must hold even then
  /// belongs in the reducer, and the action has to contain what the reducer compares, such as the
  /// value that the user has seen.
  ///
  /// - Parameter local: The local state of the page or window that posted it.
  /// - Throws: ``Refusal``; nothing has changed.
  static func check(_ fields: FormFields, _ local: Local, _ state: State) throws

  /// The local state that refers to something in the state: a selection, the subject of a sheet, a
  /// part of a list.
  static var references: [Reference<Self>] { get }

  /// The fetches to start when a window first shows this.
  static var fetches: [Fetch<Self>] { get }

  /// Whether something that local state refers to has existed, and was deleted. An address that
  /// contains it in its path is then answered with 410 instead of 404. Pure. By default `false`,
  /// because most states do not remember what was deleted.
  ///
  /// ```swift
  /// static func wasDeleted(_ local: Local, _ state: State) -> Bool {
  ///   local.number.map { $0 < state.nextNumber } ?? false
  /// }
  /// ```
  static func wasDeleted(_ local: Local, _ state: State) -> Bool

  /// The status of an action's side effect; `nil` or `.empty` if it has none. After `.waiting`,
  /// `.empty` means that it was cancelled: then there is no toast, and a sheet stays open. Without
  /// JavaScript, the answer to a post waits until the effect has ended. The window that posted the
  /// action is told of a failure, unless its page shows the reason. Pure. By default it is what the
  /// state says for all pages (``StoreState``).
  static func status(of action: State.Action, in state: State) -> OperationStatus?

  /// The toast for the window that posted an action, shown once its effect has succeeded; `nil`
  /// shows none. Pure. By default it is what the state says for all pages (``StoreState``).
  ///
  /// - Parameter state: The state before the action.
  static func toast(for action: State.Action, in state: State) -> Toast<State>?
}

extension Root {
  public var title: String? { nil }

  public static func check(_ fields: FormFields, _ local: Local, _ state: State) throws {}

  public static var references: [Reference<Self>] { [] }
  public static var fetches: [Fetch<Self>] { [] }

  public static func wasDeleted(_ local: Local, _ state: State) -> Bool { false }

  public static func status(of action: State.Action, in state: State) -> OperationStatus? {
    State.status(of: action, in: state)
  }

  public static func toast(for action: State.Action, in state: State) -> Toast<State>? {
    State.toast(for: action, in: state)
  }
}

// Derived from the declarations above.
extension Root {
  /// The normalized local state, without references to things that no longer exist.
  ///
  /// - Parameter old: The state that its window has shown before, if any.
  static func normalize(_ local: Local, _ state: State, after old: State? = nil) -> Local {
    var local = local
    for reference in Self.references { reference.normalize(&local, state, old) }
    local.forgetSuccess()
    local.resetUnused()
    return local
  }

  static func overlay(_ local: Local) -> Overlay {
    Self.references.reduce(into: Overlay()) { overlay, reference in
      overlay.merge(reference.overlay(local)) { rows, others in rows.merging(others) { $1 } }
    }
  }

  /// The actions that request fetches which were never requested.
  static func onAppear(_ local: Local, _ state: State) -> [State.Action] {
    Self.fetches.filter { $0.isShown(local) && $0.status(state) == nil }.map { $0.action }
  }

  /// Whether this has nothing to show yet, because its data is being fetched or was never
  /// requested.
  static func isLoading(_ local: Local, _ state: State) -> Bool {
    Self.fetches.contains { fetch in
      fetch.isShown(local) && [nil, .waiting].contains(fetch.status(state)) && fetch.isEmpty(state)
    }
  }

  /// Whether this shows an operation in progress.
  static func isWaiting(_ local: Local, _ state: State) -> Bool {
    let isFetching = Self.fetches.contains { fetch in
      fetch.isShown(local) && fetch.status(state) == .waiting
        // A reload must not lose what a user has entered into a form.
        && (local.isPresenting == false || fetch.isEmpty(state))
    }
    if local.isPresenting { return isFetching || local.isWaiting }
    return isFetching || Self.references.contains { $0.status(local, state) == .waiting }
  }
}
