import ImmutableUI

/// All regions of a page at one version. It stays the same object as long as no region changes.
final class Composition: Sendable {
  struct Region: Sendable {
    let name: String
    let rendered: Rendered
  }

  static let rootName = "root"

  /// Parents come before the regions that they nest.
  let regions: [Region]

  /// The document's title.
  let title: String

  /// - Parameter title: The page's title, used if the root region sets none.
  init(regions: [Region], title: String) {
    self.regions = regions
    self.title = regions.first?.rendered.title ?? title
  }

  /// Whether the composition consists of these regions, compared by identity.
  func isSame(as regions: [Region]) -> Bool {
    self.regions.count == regions.count
      && zip(self.regions, regions).allSatisfy {
        $0.rendered === $1.rendered && $0.name == $1.name
      }
  }

  func rendered(_ name: String) -> Rendered? {
    self.regions.first { $0.name == name }?.rendered
  }
}

extension Composition {
  /// The tag of each region, by name.
  var tags: [String: String] {
    Dictionary(self.regions.map { ($0.name, $0.rendered.tag.text) }) { first, _ in first }
  }
}
