import ImmutableUI

/// What a request is about: a page, and the local state that its URL says.
struct Route: Sendable {
  let page: PagePath
  /// With the parameters of the path.
  let query: Query
  /// Those that the path had; they are in the query, unless the query that was requested had them too.
  let items: [QueryItem]

  /// Whether a location lacks what the path names: there is no such thing, or no longer.
  func isMissing(in location: some Location) -> Bool {
    self.items.contains { item in
      self.query[item.name] == item.value && location.query[item.name] != item.value
    }
  }
}

/// Which page of which product a path is of.
struct Routes: Sendable {
  private struct Entry {
    let page: PagePath
    let product: any AnyProduct
  }

  /// Those without parameters.
  private let exact: [String: Entry]
  private let others: [Entry]

  /// - Throws: ``WindowError`` when two pages could answer one path.
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
  ///   - path: As it was requested.
  ///   - query: As it was requested; it counts more than the path.
  /// - Returns: `nil` when there is no such page.
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
