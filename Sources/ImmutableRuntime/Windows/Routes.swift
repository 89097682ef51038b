import ImmutableUI

/// The destination of a request: a page and the local state in its URL.
struct Route: Sendable {
  let page: PagePath
  /// Includes the parameters of the path.
  let query: Query
  /// The parameters of the path. They are also in `query`, unless the requested query already had
  /// them.
  let items: [QueryItem]

  /// Whether the path names something that does not exist, or no longer exists, at a location.
  func isMissing(in location: some Location) -> Bool {
    self.items.contains { item in
      self.query[item.name] == item.value && location.query[item.name] != item.value
    }
  }
}

/// Finds the page and the product for a path.
struct Routes: Sendable {
  private struct Entry {
    let page: PagePath
    let product: any AnyProduct
  }

  /// The pages whose paths have no parameters.
  private let exact: [String: Entry]
  private let others: [Entry]

  /// - Throws: ``WindowError`` if two pages could answer the same path.
  init(_ pages: [(page: PagePath, product: any AnyProduct)]) throws {
    for (index, one) in pages.enumerated() {
      for two in pages[..<index] where one.page.overlaps(two.page) {
        throw WindowError(
          code: .ambiguousPaths,
          message:
            "A path can be both \(two.page.text) and \(one.page.text). Give one of these pages "
            + "another path."
        )
      }
    }
    let entries = pages.map { Entry(page: $0.page, product: $0.product) }
    self.exact = Dictionary(
      uniqueKeysWithValues: entries.lazy.filter { $0.page.parameters.isEmpty }
        .map { ($0.page.text, $0) })
    self.others = entries.filter { $0.page.parameters.isEmpty == false }
  }

  /// - Parameters:
  ///   - path: The requested path.
  ///   - query: The requested query. It takes precedence over the path.
  /// - Returns: `nil` if there is no such page.
  /// - Complexity: O(p), p pages whose paths have parameters.
  func route(_ path: String, _ query: Query) -> (product: any AnyProduct, Route)? {
    if let entry = self.exact[path] {
      return (entry.product, Route(page: entry.page, query: query, items: []))
    }
    for entry in self.others {
      guard let items = entry.page.match(path) else { continue }
      let new = items.filter { query[$0.name] == nil }
      let route = Route(page: entry.page, query: Query(new + query.items), items: items)
      return (entry.product, route)
    }
    return nil
  }
}
