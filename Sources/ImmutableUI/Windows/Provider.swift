public import ImmutableData

/// Gives a store to the components of some pages.
///
/// ```swift
/// Provider(store) {
///   Page(Content.self, at: "/counter", title: "Counter")
/// }
/// ```
///
/// Source: the guide, chapter ImmutableUI, section Provider.
public struct Provider: Sendable {
  let pages: [ProvidedPage]
  let effects: EffectLanes?

  /// - Parameters:
  ///   - store: What the components' selectors read and the pages' forms dispatch to.
  ///   - effects: Where the store's listeners run their effects. While there are too many, posts are
  ///     refused; on shutdown they are waited for.
  ///   - pages: The pages.
  public init<State: StoreState>(
    _ store: Store<State, State.Action>,
    effects: EffectLanes? = nil,
    @ProviderBuilder<Page<State>> pages: () -> [Page<State>]
  ) {
    self.effects = effects
    self.pages = pages().map { ProvidedPage($0, store: store) }
  }
}

/// Collects what stands in the braces of ``Provider`` and ``WindowGroup``.
@resultBuilder public enum ProviderBuilder<Element> {
  public static func buildBlock(_ elements: [Element]...) -> [Element] {
    elements.flatMap(\.self)
  }

  public static func buildExpression(_ element: Element) -> [Element] {
    [element]
  }

  public static func buildExpression(_ elements: [Element]) -> [Element] {
    elements
  }

  public static func buildOptional(_ elements: [Element]?) -> [Element] {
    elements ?? []
  }
}
