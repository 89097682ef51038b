/// All regions of a page as they were at one moment. The same object as long as none has changed.
final class Composition: Sendable {
  struct Region: Sendable {
    let name: String
    let rendered: Rendered
  }

  static let rootName = "root"

  /// Parents come before the regions that they nest.
  let regions: [Region]

  init(regions: [Region]) {
    self.regions = regions
  }

  /// Whether these are its regions, by identity.
  func isSame(as regions: [Region]) -> Bool {
    self.regions.count == regions.count
      && zip(self.regions, regions).allSatisfy {
        $0.rendered === $1.rendered && $0.name == $1.name
      }
  }

  /// The document's title, if its root says one.
  var title: String? { self.regions.first?.rendered.title }

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
