import HTMLTemplates
package import ImmutableData
package import ImmutableUI

/// An action that was dispatched to a product's store. The types of the product are erased.
package struct ProductDispatch: Sendable {
  /// The name of the product's state type.
  package let product: String
  package let dispatch: Dispatch<any Sendable, any Sendable>

  package init(product: String, dispatch: Dispatch<any Sendable, any Sendable>) {
    self.product = product
    self.dispatch = dispatch
  }
}

/// A window and its content.
package struct ShownWindow: Hashable, Sendable {
  package let id: Identifier
  /// The name of the product's state type.
  package let product: String
  /// The path and query of what it shows.
  package let url: String
  /// The id of its place. Windows with the same id are sent the same bytes.
  package let place: Int
  /// The size of the page's regions, in bytes.
  package let bytes: Int
  /// The stream that carries its events.
  package let stream: Identifier
  /// The environment in which its local state was resolved.
  package let environment: WindowEnvironment
  /// The status of its stream; `nil` if it was not requested, or if the window has just closed.
  package var connection: ShownConnection?

  package init(
    id: Identifier,
    product: String,
    url: String,
    place: Int,
    bytes: Int,
    stream: Identifier,
    environment: WindowEnvironment,
    connection: ShownConnection? = nil
  ) {
    self.id = id
    self.product = product
    self.url = url
    self.place = place
    self.bytes = bytes
    self.stream = stream
    self.environment = environment
    self.connection = connection
  }
}

/// The part of a past page that a developer inspects.
package struct PageInspection: Sendable {
  /// The name of a region, whose element gets the attribute `data-marked`.
  package var region: String?
  /// The assets of the page in addition to those of its components.
  package var assets: [Asset] = []

  package init(region: String? = nil, assets: [Asset] = []) {
    self.region = region
    self.assets = assets
  }
}

extension Product {
  nonisolated func record(
    _ body: @escaping @MainActor @Sendable (ProductDispatch) -> Void,
    didSkip: @escaping @MainActor @Sendable (any Sendable, _ version: UInt64) -> Void
  ) async {
    let name = self.name
    await self.source.record { dispatch in
      body(
        ProductDispatch(
          product: name,
          dispatch: dispatch.map(dispatch.action as any Sendable) { $0 as any Sendable }))
    } didSkip: { state, version in
      didSkip(state, version)
    }
  }

  nonisolated var state: any Sendable { self.source.snapshot().state }

  nonisolated func part(of root: any Sendable) -> (any Sendable)? { self.source.part(of: root) }

  var shownWindows: [ShownWindow] {
    self.places.shownWindows(of: self.name)
  }

  /// Renders pages in another state.
  ///
  /// - Parameter state: A state of the product, or of the store that its store is a scope of.
  /// - Returns: `nil` if the state belongs to another product, or if templates do not compile.
  nonisolated func renderer(in state: any Sendable) -> StillRenderer<State>? {
    guard let state = state as? State ?? self.source.part(of: state),
      let templates = try? self.templates.get()
    else { return nil }
    return StillRenderer(in: state, templates: templates, logger: self.configuration.logger)
  }

  /// A page's content in another state.
  nonisolated func compose(
    _ route: Route,
    by renderer: StillRenderer<State>,
    _ environment: WindowEnvironment
  ) -> (location: any Location<State>, composition: Composition) {
    let location = self.page(at: route.page).location(route.query, environment)
      .normalized(in: renderer.state)
    return (location, renderer.composition(of: location.root, title: location.title))
  }

  /// Only parameters that the page knows remain in its query.
  nonisolated func url(
    _ route: Route,
    _ environment: WindowEnvironment,
    redacted pseudonym: (String) -> String
  ) -> String {
    let items = self.page(at: route.page).items(route.query, environment, redacted: pseudonym)
    return route.page.url(Query(items))
  }

  /// A page as it would be in another state.
  nonisolated func page(
    _ route: Route,
    in state: any Sendable,
    _ environment: WindowEnvironment,
    _ inspection: PageInspection
  ) -> PageContent? {
    let composed = self.render(in: state) { renderer in
      self.compose(route, by: renderer, environment)
    }
    guard let (location, composition) = composed else { return nil }
    return PageContent(
      still: composition,
      assets: (self.context.assets[route.page] ?? []) + inspection.assets,
      context: PageContext(
        path: route.page, query: location.query, overlay: location.overlay,
        markedRegion: inspection.region)
    )
  }
}

extension WindowGroup {
  /// Calls a closure with every action that is dispatched to the products, except to one of them; see
  /// ``ImmutableData/Store/record(_:)``. Products whose store is the root of others are left out:
  /// their actions are those of the others.
  ///
  /// - Parameter didSkip: Receives the name of a product's state type, and a state to which actions
  ///   have led that this process has not read, with its version.
  package func record(
    except product: String,
    _ body: @escaping @MainActor @Sendable (ProductDispatch) -> Void,
    didSkip: @escaping @MainActor @Sendable (String, any Sendable, _ version: UInt64) -> Void
  ) async {
    for other in self.parts(except: product) {
      let name = other.name
      await other.record(body) { state, version in didSkip(name, state, version) }
    }
  }

  /// The states of the products that are recorded, by the names of their types.
  package func states(except product: String) -> [String: any Sendable] {
    Dictionary(self.parts(except: product).map { ($0.name, $0.state) }) { $1 }
  }

  private func parts(except product: String) -> [any AnyProduct] {
    self.allProducts.filter { $0.name != product && $0.isPart }
  }

  /// The windows, by what they show.
  ///
  /// - Parameter product: The product; `nil` for all products.
  /// - Complexity: O(n log n), n windows.
  package func shownWindows(of product: String? = nil) async -> [ShownWindow] {
    var windows: [ShownWindow] = []
    for each in self.allProducts where product == nil || each.name == product {
      windows += await each.shownWindows
    }
    // Each id is made a text once.
    return windows.map { (key: ($0.url, $0.id.text), window: $0) }.sorted { $0.key < $1.key }
      .map { $0.window }
  }

  /// A page as it would be if the state of its product were another one.
  ///
  /// - Parameters:
  ///   - url: The path and query of the page.
  ///   - state: The state.
  ///   - environment: The environment in which its local state is resolved.
  ///   - inspection: The part that a developer inspects.
  /// - Returns: `nil` if there is no such page, or if the state belongs to another product.
  package func page(
    _ url: String,
    in state: any Sendable,
    environment: WindowEnvironment,
    inspection: PageInspection = PageInspection()
  ) -> PageContent? {
    guard let (product, route) = try? self.route(url) else { return nil }
    return product.page(route, in: state, environment, inspection)
  }

  /// The title of the page at a URL, as it is declared; `nil` if there is no such page.
  package func title(of url: String) -> String? {
    (try? self.route(url))?.1.title
  }

  /// A URL with pseudonyms instead of what people enter (``ImmutableUI/Parameter/personal()``).
  ///
  /// - Returns: The URL; without a query if there is no such page.
  package func url(
    _ url: String,
    environment: WindowEnvironment,
    redacted pseudonym: (String) -> String
  ) -> String {
    guard let (product, route) = try? self.route(url) else {
      return String(url.prefix { $0 != "?" })
    }
    return product.url(route, environment, redacted: pseudonym)
  }

  /// The state of a product in a state of the store that its store is a scope of.
  ///
  /// - Parameter product: The name of its state type.
  package func part(of product: String, in root: any Sendable) -> (any Sendable)? {
    self.allProducts.first { $0.name == product }?.part(of: root)
  }

  /// Calls a closure with everything that windows are sent from now on, except for the pages of one
  /// product. The closure must be fast.
  package func recordPages(
    except product: String,
    _ body: @escaping @Sendable (ShownPage) -> Void
  ) {
    for other in self.allProducts where other.name != product { other.journal.followers.add(body) }
  }

  /// The name of the product of a page; `nil` if there is no such page.
  package func product(of url: String) -> String? {
    try? self.route(url).product.name
  }
}
