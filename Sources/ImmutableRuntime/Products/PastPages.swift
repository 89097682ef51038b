import HTMLTemplates
package import ImmutableUI

/// Pages as they would be in another state of their products, or of the store that all products are
/// scopes of, or in one such state after another. Parts that they have in common are rendered once.
///
/// Not Sendable. It keeps its renders for as long as it exists, so release it when the state is no
/// longer needed, or after some states.
package final class PastPages {
  private let windows: WindowGroup
  private var state: any Sendable
  /// By the name of the product.
  private var products: [String: any PastProduct] = [:]

  fileprivate init(_ windows: WindowGroup, in state: any Sendable) {
    self.windows = windows
    self.state = state
  }

  /// Continues in another state, which may be older or newer. Pages then cost what has changed.
  package func move(to state: any Sendable) {
    self.state = state
    for (name, product) in self.products where product.move(to: state) == false {
      self.products[name] = nil
    }
  }

  /// - Returns: `nil` if there is no such page, or if the state is not that of its product.
  package func regions(_ url: String, environment: WindowEnvironment) -> [PastRegion]? {
    guard let (product, route) = try? self.windows.route(url) else { return nil }
    let past = self.products[product.name] ?? product.past(in: self.state)
    self.products[product.name] = past
    return past?.regions(route, environment)
  }
}

extension WindowGroup {
  package func past(in state: any Sendable) -> PastPages { PastPages(self, in: state) }

  /// A page as it would be in another state of its product, or of the store that all products are
  /// scopes of.
  ///
  /// - Returns: `nil` if there is no such page, or if the state is not that of its product.
  package func regions(
    _ url: String,
    in state: any Sendable,
    environment: WindowEnvironment
  ) -> [PastRegion]? {
    self.past(in: state).regions(url, environment: environment)
  }
}

/// The pages of one product in another state.
protocol PastProduct {
  /// - Returns: Whether the state belongs to the product.
  func move(to state: any Sendable) -> Bool
  func regions(_ route: Route, _ environment: WindowEnvironment) -> [PastRegion]?
}

extension Product {
  nonisolated func past(in state: any Sendable) -> (any PastProduct)? {
    self.renderer(in: state).map { Past(product: self, renderer: $0) }
  }

  private struct Past: PastProduct {
    let product: Product
    let renderer: StillRenderer<State>

    func move(to state: any Sendable) -> Bool {
      guard let state = state as? State ?? self.product.source.part(of: state) else { return false }
      self.renderer.move(to: state)
      return true
    }

    func regions(_ route: Route, _ environment: WindowEnvironment) -> [PastRegion]? {
      self.product.compose(route, by: self.renderer, environment).composition.regions.map {
        PastRegion(name: $0.name, rendered: $0.rendered)
      }
    }
  }
}

/// A region of a page as it would be in some state.
package struct PastRegion: Sendable {
  package let name: String
  fileprivate let rendered: Rendered

  package var tag: Tag { self.rendered.tag }

  /// Its HTML, without nested regions and without per-window values.
  ///
  /// - Complexity: O(n), n bytes.
  package var html: String { self.rendered.html }
}

extension Rendered {
  /// Its HTML, including rows.
  fileprivate var html: String {
    var bytes: [UInt8] = []
    var start = 0
    for hole in self.holes {
      guard let list = hole.content as? RenderedList else { continue }
      bytes += self.bytes[start..<hole.offset]
      start = hole.offset
      for row in list.rows { bytes += row.bytes }
    }
    return String(decoding: bytes + self.bytes[start...], as: UTF8.self)
  }
}
