public import HTMLTemplates

/// A part of a page: a value that says what it shows by composing others, as a SwiftUI view does.
///
/// There are three kinds, as in the guide. A ``Root`` is made from local state. A container reads
/// the store through selectors, and its body is a presenter. A ``Presenter`` is pure: data in, HTML
/// out, through the template of the same name.
///
/// Source: the guide, chapters ImmutableUI and AnimalsUI (Root, Container, Presenter).
public protocol Component: Sendable {
  associatedtype Body: Component

  /// What this component shows. It is read while rendering, where selectors have their values.
  var body: Body { get }

  /// The script modules and style sheets that this component needs in addition to those of all
  /// pages.
  static var assets: [Asset] { get }

  /// Compiles the templates that this component can need. Products do not implement it.
  ///
  /// - Throws: `TemplateError` for the first template that does not compile.
  static func prepare(_ templates: TemplateSet) throws

  /// Writes this component. Products do not implement it.
  func render(into writer: inout HTMLWriter)
}

extension Component {
  public static var assets: [Asset] { [] }

  public static func prepare(_ templates: TemplateSet) throws {
    templates.add(Self.self)
    try Body.prepare(templates)
  }

  public func render(into writer: inout HTMLWriter) {
    self.body.render(into: &writer)
  }
}

/// The body of a component that has none: a ``Presenter`` is written by its template.
extension Never: Component {
  public var body: Never {
    switch self {}
  }

  public static func prepare(_ templates: TemplateSet) throws {}

  public func render(into writer: inout HTMLWriter) {
    switch self {}
  }
}
