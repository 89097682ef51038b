import ImmutableData

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

  /// The document's title, for example with what is selected; `nil`: that of the page. It is read while
  /// rendering, as the body is, and changes with a push.
  ///
  /// ```swift
  /// var title: String? { self.animal.map { "\($0.name) · Animals" } }
  /// ```
  var title: String? { get }

  /// Refuses a posted form if its user has not seen what has changed since. Runs with the state
  /// that the action would be reduced in. Pure.
  ///
  /// - Parameter local: Of the page or window that posted it.
  /// - Throws: ``Refusal``; nothing has changed.
  static func check(_ fields: FormFields, _ local: Local, _ state: State) throws

  /// The local state that refers to something in the state: a selection, the subject of a sheet, a
  /// part of a list.
  static var references: [Reference<Self>] { get }

  /// What is fetched as a window first shows this.
  static var fetches: [Fetch<Self>] { get }

  /// The status of an action's side effect; `nil` if it has none. Without JavaScript, a post is
  /// answered when the effect has ended. Pure.
  static func status(of action: State.Action, in state: State) -> EffectStatus?

  /// What the window that posted an action is told once its effect has succeeded; `nil`: nothing.
  /// Pure.
  ///
  /// - Parameter state: The state before the action.
  static func toast(for action: State.Action, in state: State) -> Toast<State>?
}

extension Root {
  public var title: String? { nil }

  public static func check(_ fields: FormFields, _ local: Local, _ state: State) throws {}

  public static var references: [Reference<Self>] { [] }
  public static var fetches: [Fetch<Self>] { [] }

  public static func status(of action: State.Action, in state: State) -> EffectStatus? {
    nil
  }

  public static func toast(for action: State.Action, in state: State) -> Toast<State>? {
    nil
  }
}

// What follows from what is declared.
extension Root {
  /// The local state that a window should have instead, without what has gone.
  static func normalize(_ local: Local, _ state: State) -> Local {
    var local = local
    for reference in Self.references { reference.normalize(&local, state) }
    local.forgetSuccess()
    local.resetUnused()
    return local
  }

  static func overlay(_ local: Local) -> Overlay {
    Self.references.reduce(Overlay()) { $0.merging($1.overlay(local)) }
  }

  /// The actions that call for fetches which were never called for.
  static func onAppear(_ local: Local, _ state: State) -> [State.Action] {
    Self.fetches.filter { $0.isShown(local) && $0.status(state) == nil }.map(\.action)
  }

  /// Whether nothing is there of what this shows, because it is being fetched or was never called for.
  static func isLoading(_ local: Local, _ state: State) -> Bool {
    Self.fetches.contains { fetch in
      fetch.isShown(local) && [nil, .waiting].contains(fetch.status(state)) && fetch.isEmpty(state)
    }
  }

  /// Whether something is under way that this shows.
  static func isWaiting(_ local: Local, _ state: State) -> Bool {
    let isFetching = Self.fetches.contains { fetch in
      fetch.isShown(local) && fetch.status(state) == .waiting
        // Whoever fills in a form must not lose it to a page that looks again.
        && (local.isPresenting == false || fetch.isEmpty(state))
    }
    if local.isPresenting { return isFetching || local.isWaiting }
    return isFetching || Self.references.contains { $0.status(local, state) == .waiting }
  }
}

/// Attributes that a window adds to rows of lists. It lies over a shared render and is no part of it.
///
/// ```swift
/// Overlay(list: "animals", key: local.animalId, attributes: ["aria-current": "true"])
/// ```
public struct Overlay: Hashable, Sendable {
  /// By list, then by the row's key.
  package private(set) var attributes: [String: [String: [String: String]]] = [:]

  public init() {}

  /// - Parameters:
  ///   - list: The name of the slot that writes the rows.
  ///   - key: The row's id; `nil`: none.
  ///   - attributes: By name; names are written as they are and must be literals.
  public init(list: String, key: String?, attributes: [String: String]) {
    if let key {
      self.attributes = [list: [key: attributes]]
    }
  }

  /// Both overlays.
  public func merging(_ other: Overlay) -> Overlay {
    var overlay = self
    for (list, rows) in other.attributes {
      overlay.attributes[list, default: [:]].merge(rows) { $0.merging($1) { _, new in new } }
    }
    return overlay
  }
}
