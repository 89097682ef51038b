public import ImmutableData

/// Gives a store to the components of some pages: a product.
///
/// ```swift
/// Provider(store) {
///   Page(Content.self, at: "/counter", title: "Counter")
/// }
/// ```
///
/// Source: the guide, chapter ImmutableUI, section Provider.
public struct Provider: Sendable {
  /// Whether its store is no scope of another.
  let isRoot: Bool
  let paths: [String]
  /// The path and label of each page that navigation leads to.
  let links: [(path: String, label: String)]
  /// Compiles the pages' templates, and answers what their components bring, by path.
  let prepare: @Sendable (TemplateSet) throws -> [(String, [Asset])]
  let makeProduct: @Sendable (ProductContext) -> any AnyProduct

  /// - Parameters:
  ///   - store: What the components' selectors read and the pages' forms dispatch to.
  ///   - effects: Where the store's listeners run their effects. While there are too many, posts are
  ///     refused; on shutdown they are waited for.
  ///   - pages: The pages.
  public init<State: StoreState>(
    _ store: Store<State, State.Action>,
    effects: EffectLanes? = nil,
    @PageBuilder<State> pages: () -> PageBuilder<State>.Pages
  ) {
    let pages = pages().pages
    self.isRoot = store.isRoot
    self.paths = pages.map(\.path)
    self.links = pages.compactMap { page in page.navigationLabel.map { (page.path, $0) } }
    self.prepare = { templates in
      try pages.map { page in (page.path, try page.prepare(templates)) }
    }
    self.makeProduct = { context in
      Product(store: store, pages: pages, effects: effects, context: context)
    }
  }
}

/// Collects the pages in the braces of ``Provider``.
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

  public static func buildArray(_ pages: [Pages]) -> Pages {
    Pages(pages: pages.flatMap(\.pages))
  }
}

/// Collects the providers in the braces of ``WindowGroup``.
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
}
