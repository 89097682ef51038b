package import HTMLTemplates

/// A component whose content is rendered, tagged and patched independently.
package struct RegionComponent: Hashable, Sendable {
  private let component: any Component & Hashable

  package init(_ component: some Component & Hashable) {
    self.component = component
  }

  /// The name of its type.
  package var name: String { "\(type(of: self.component))" }

  /// The path of its template below the folder of templates, without its extension; `nil` if it is
  /// composed of others.
  package var template: String? {
    func template<P: Presenter>(_ presenter: P) -> String { P.template.name }
    return (self.component as? any Presenter).map { template($0) }
  }

  /// The document's title, if this is the root of a page and declares one.
  package var title: String? { (self.component as? any Root)?.title }

  package func render(into writer: inout HTMLWriter) {
    self.component.render(into: &writer)
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    areEqual(lhs.component, rhs.component)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self.component)))
    hasher.combine(self.component)
  }
}
