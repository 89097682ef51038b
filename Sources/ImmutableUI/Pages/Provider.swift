public import ImmutableData

/// A product: a store and the pages whose components use it.
///
/// ```swift
/// Provider(store) {
///   Page(Content.self, at: "/counter", title: "Counter")
/// }
/// ```
///
/// Source: the guide, chapter ImmutableUI, section Provider.
public struct Provider: Sendable {
  /// The declaration from which the runtime makes a product.
  package let declaration: any ProductDeclaration

  /// - Parameters:
  ///   - store: The store that the components' selectors read and the pages' forms dispatch to.
  ///   - effects: Where the store's listeners run their effects. While there are too many, posts
  ///     are refused. A shutdown waits for them.
  ///   - pages: The pages.
  public init<State: StoreState>(
    _ store: Store<State, State.Action>,
    effects: EffectLanes? = nil,
    @PageBuilder<State> pages: () -> PageBuilder<State>.Pages
  ) {
    self.declaration = Declaration(
      store: store, effects: effects, prepare: nil, pages: pages().pages)
  }

  /// - Parameters:
  ///   - store: The store.
  ///   - effects: The lanes in which its effects run, if it has any.
  ///   - prepare: Called before a page reads the store's state or handles a post.
  ///   - pages: The pages.
  package init<State: StoreState>(
    preparing store: Store<State, State.Action>,
    effects: EffectLanes? = nil,
    prepare: @escaping @Sendable () async -> Void,
    @PageBuilder<State> pages: () -> PageBuilder<State>.Pages
  ) {
    self.declaration = Declaration(
      store: store, effects: effects, prepare: prepare, pages: pages().pages)
  }

  private struct Declaration<State: StoreState>: ProductDeclaration {
    let store: Store<State, State.Action>
    let effects: EffectLanes?
    let prepare: (@Sendable () async -> Void)?
    let pages: [any ProductPage<State>]
  }
}

/// The declaration of a product. With ``Component``, ``Root`` and ``Form``, this is all that the
/// runtime knows of it.
package protocol ProductDeclaration<State>: Sendable {
  associatedtype State: StoreState

  var store: Store<State, State.Action> { get }
  var effects: EffectLanes? { get }
  /// Called before a page reads the store's state or handles a post.
  var prepare: (@Sendable () async -> Void)? { get }
  var pages: [any ProductPage<State>] { get }
}

/// Builds the pages of a ``Provider``.
@resultBuilder public enum PageBuilder<State: StoreState> {
  /// Some pages of one product.
  public struct Pages: Sendable {
    let pages: [any ProductPage<State>]
  }

  public static func buildBlock(_ pages: Pages...) -> Pages {
    Pages(pages: pages.flatMap(\.pages))
  }

  public static func buildExpression<Content>(_ page: Page<Content>) -> Pages
  where Content.State == State {
    Pages(pages: [page])
  }

  public static func buildOptional(_ pages: Pages?) -> Pages {
    pages ?? Pages(pages: [])
  }

  public static func buildEither(first pages: Pages) -> Pages { pages }

  public static func buildEither(second pages: Pages) -> Pages { pages }

  public static func buildArray(_ pages: [Pages]) -> Pages {
    Pages(pages: pages.flatMap(\.pages))
  }
}

/// Builds the providers of a ``WindowGroup``.
@resultBuilder public enum ProviderBuilder {
  public static func buildBlock(_ providers: [Provider]...) -> [Provider] {
    providers.flatMap(\.self)
  }

  public static func buildExpression(_ provider: Provider) -> [Provider] {
    [provider]
  }

  public static func buildExpression(_ providers: [Provider]) -> [Provider] {
    providers
  }

  public static func buildOptional(_ providers: [Provider]?) -> [Provider] {
    providers ?? []
  }

  public static func buildEither(first providers: [Provider]) -> [Provider] { providers }

  public static func buildEither(second providers: [Provider]) -> [Provider] { providers }

  public static func buildArray(_ providers: [[Provider]]) -> [Provider] {
    providers.flatMap(\.self)
  }
}
