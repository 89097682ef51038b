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

  /// - Parameter local: What this window's URL says. What it does not use must not be kept, since
  ///   windows share a render only if their roots are equal.
  init(_ local: Local)

  /// The document's title, for example with what is selected; `nil`: that of the page. It is read while
  /// rendering, as the body is, and changes with a push.
  ///
  /// ```swift
  /// var title: String? { self.animal.map { "\($0.name) · Animals" } }
  /// ```
  var title: String? { get }

  /// Looks at a posted form in the state that its action would be reduced in: for what its user has
  /// not seen. Pure.
  ///
  /// - Parameter local: Of the page or window that posted it.
  /// - Throws: ``Refusal``; nothing has changed.
  static func check(_ fields: FormFields, _ local: Local, _ state: State) throws

  /// The local state that a window should have instead, for example without a selection that has
  /// gone. A page answers 303, a push replaces the window's URL. Pure.
  ///
  /// - Complexity: Runs for every place and version: O(1), or O(log n).
  static func normalize(_ local: Local, _ state: State) -> Local

  /// Whether there is what the parameters of a path name: an animal, say, that has been deleted since the link
  /// to it was sent. If there is not, the page shows the local state that ``normalize(_:_:)`` makes of it,
  /// says so, and answers 404 or 410. What the query names is normalised without a word. Pure.
  ///
  /// - Complexity: Runs for every page: O(1), or O(log n).
  static func availability(_ local: Local, _ state: State) -> Availability

  /// Attributes on rows that depend on local state alone, for example which one is selected.
  static func overlay(_ local: Local) -> Overlay

  /// What happens as a window first shows this: the `onAppear` of the components in it. Nothing, if
  /// the state has what they need. A page waits for it, but no longer than a second. Pure.
  ///
  /// - Complexity: Runs for every page: O(1), or O(log n).
  static func onAppear(_ local: Local, _ state: State) -> [State.Action]

  /// Whether something is under way that this shows. Without JavaScript the page then looks again
  /// by itself. Pure.
  static func isWaiting(_ local: Local, _ state: State) -> Bool

  /// How the side effect of an action stands; `nil`: it has none. Without JavaScript a post is
  /// answered when it has ended. Pure.
  static func status(of action: State.Action, in state: State) -> EffectStatus?
}

extension Root {
  public var title: String? { nil }

  public static func check(_ fields: FormFields, _ local: Local, _ state: State) throws {}

  public static func normalize(_ local: Local, _ state: State) -> Local {
    local
  }

  public static func availability(_ local: Local, _ state: State) -> Availability {
    .available
  }

  public static func overlay(_ local: Local) -> Overlay {
    Overlay()
  }

  public static func onAppear(_ local: Local, _ state: State) -> [State.Action] {
    []
  }

  public static func isWaiting(_ local: Local, _ state: State) -> Bool {
    false
  }

  public static func status(of action: State.Action, in state: State) -> EffectStatus? {
    nil
  }
}

/// Whether there is what a page was asked for.
public enum Availability: Hashable, Sendable {
  case available
  /// There is none; perhaps there never was: 404.
  case missing
  /// There was one, and it will not come back: 410.
  case gone
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
