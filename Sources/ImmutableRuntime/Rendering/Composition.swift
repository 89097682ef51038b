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

  /// Whether another composition has the same regions with the same content.
  func isSame(as other: Composition) -> Bool {
    self.regions.elementsEqual(other.regions) { own, other in
      own.name == other.name
        && (own.rendered === other.rendered
          || own.rendered.tag == other.rendered.tag && own.rendered.nested == other.rendered.nested)
    }
  }

  /// The composition with other renders of the same regions; itself if they are the same objects.
  ///
  /// - Parameters:
  ///   - renders: One for each region.
  ///   - title: The page's title, used if the root region sets none.
  func with(_ renders: [Rendered], title: String) -> Composition {
    let isSame = zip(self.regions, renders).allSatisfy { $0.rendered === $1 }
    return isSame
      ? self
      : Composition(
        regions: zip(self.regions, renders).map { Region(name: $0.name, rendered: $1) },
        title: title
      )
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
