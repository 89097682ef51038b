package import HTMLTemplates

/// A component whose content is rendered, tagged and patched independently.
package struct RegionComponent: Hashable, Sendable {
  private let component: any Component & Hashable
  /// Computed once. A region is looked up in several tables, and its selectors hash all that they
  /// capture.
  private let hash: Int

  package init(_ component: some Component & Hashable) {
    self.component = component
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(Swift.type(of: component)))
    hasher.combine(component)
    self.hash = hasher.finalize()
  }

  package var type: ObjectIdentifier { ObjectIdentifier(Swift.type(of: self.component)) }

  /// The name of its type.
  package var name: String { "\(Swift.type(of: self.component))" }

  /// The path of its template, or that of its body, below the folder of templates, without its
  /// extension; `nil` if it is composed of others.
  package var template: String? {
    func template<P: Presenter>(of type: P.Type) -> String { P.template.name }
    func body<C: Component>(of component: C) -> any Component.Type { C.Body.self }
    let types: [any Component.Type] = [Swift.type(of: self.component), body(of: self.component)]
    return types.lazy.compactMap { $0 as? any Presenter.Type }.first.map { template(of: $0) }
  }

  /// What it shows, if that is a value that can be compared: its body. A root has a title, too, and
  /// shows more than its body.
  var shown: RegionComponent? {
    func shown<C: Component>(by component: C) -> RegionComponent? {
      // A presenter has no body.
      guard C.Body.self != Never.self, C.Body.self is any Hashable.Type,
        C.self is any Root.Type == false,
        let body = component.body as? any Component & Hashable
      else { return nil }
      return RegionComponent(body)
    }
    return shown(by: self.component)
  }

  /// The document's title, if this is the root of a page and declares one.
  package var title: String? { (self.component as? any Root)?.title }

  package func render(into writer: inout HTMLWriter) {
    self.component.render(into: &writer)
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.hash == rhs.hash && areEqual(lhs.component, rhs.component)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.hash)
  }
}
