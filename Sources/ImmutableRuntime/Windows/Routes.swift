import ImmutableUI

/// The destination of a request: a page and the local state in its URL.
struct Route: Sendable {
  let page: PagePath
  /// The page's title, which its root component may replace.
  let title: String
  /// Includes the parameters of the path.
  let query: Query
  /// The parameters of the path. They are also in `query`, unless the requested query already had
  /// them.
  let items: [QueryItem]
  /// Whether the path has a value that cannot be read.
  let isUnreadable: Bool

  /// Whether the path names something that does not exist, or no longer exists.
  ///
  /// - Parameters:
  ///   - requested: The location of the request.
  ///   - location: The same location, normalized.
  func isMissing<State>(
    from requested: any Location<State>,
    in location: any Location<State>
  ) -> Bool {
    // A value may be written in several ways, so that of the request is not compared.
    location.hasGone || self.isUnreadable
      || self.items.contains { item in
        self.query[item.name] == item.value
          && requested.query[item.name] != location.query[item.name]
      }
  }
}

/// Finds the page and the product for a path.
struct Routes: Sendable {
  private struct Entry {
    let page: any ProductPage
    let product: any AnyProduct

    var path: PagePath { self.page.path }

    func route(_ query: Query, items: [QueryItem] = [], isUnreadable: Bool = false) -> Route {
      Route(
        page: self.path, title: self.page.title, query: query, items: items,
        isUnreadable: isUnreadable)
    }
  }

  /// The pages whose paths have no parameters.
  private let exact: [String: Entry]
  private let others: [Entry]

  /// - Throws: ``WindowError`` if two pages could answer the same path.
  init(_ pages: [(page: any ProductPage, product: any AnyProduct)]) throws {
    let entries = pages.map { Entry(page: $0.page, product: $0.product) }
    for (index, one) in entries.enumerated() {
      for two in entries[..<index] where one.path.overlaps(two.path) {
        throw WindowError(
          code: .ambiguousPaths,
          message:
            "A path can be both \(two.path.text) and \(one.path.text). Give one of these pages "
            + "another path."
        )
      }
    }
    self.exact = Dictionary(
      uniqueKeysWithValues: entries.lazy.filter { $0.path.parameters.isEmpty }
        .map { ($0.path.text, $0) })
    self.others = entries.filter { $0.path.parameters.isEmpty == false }
  }

  /// - Parameters:
  ///   - path: The requested path.
  ///   - query: The requested query. It takes precedence over the path.
  /// - Returns: `nil` if there is no such page.
  /// - Complexity: O(p), p pages whose paths have parameters.
  func route(_ path: String, _ query: Query) -> (product: any AnyProduct, Route)? {
    if let entry = self.exact[path] {
      return (entry.product, entry.route(query))
    }
    for entry in self.others {
      guard let items = entry.path.match(path) else { continue }
      let new = items.filter { query[$0.name] == nil }
      let all = Query(new + query.items)
      guard entry.page.reads(all) else { return nil }
      let isUnreadable = items.contains { entry.page.reads($0) == false }
      return (entry.product, entry.route(all, items: items, isUnreadable: isUnreadable))
    }
    return nil
  }
}
