import ImmutableData

/// A root component at a path. What can be posted there are the forms of its product.
///
/// ```swift
/// Page(Content.self, at: "/counter", title: "Counter")
/// ```
public struct Page<Content: Root>: Sendable {
  package let path: String
  package let title: String
  /// What navigation calls it; `nil`: it does not lead here.
  package internal(set) var navigationLabel: String?

  /// - Parameters:
  ///   - content: The component that the page shows.
  ///   - path: Starts with `/`.
  ///   - title: Of the document.
  public init(
    _ content: Content.Type,
    at path: String,
    title: String
  ) {
    self.path = path
    self.title = title
    self.navigationLabel = title
  }
}

/// A page of one product, whatever its root component is.
package protocol ProductPage<State>: Sendable {
  associatedtype State: StoreState

  var path: String { get }
  var title: String { get }
  var navigationLabel: String? { get }

  /// Compiles the page's templates.
  ///
  /// - Returns: What its components bring.
  func prepare(_ templates: TemplateSet) throws -> [Asset]

  /// Where a page is that is asked for.
  func location(_ query: Query, _ environment: WindowEnvironment) -> any Location<State>

  /// Where a window is: without late parameters, which only pages have.
  func windowLocation(_ query: Query, _ environment: WindowEnvironment) -> any Location<State>
}

extension Page: ProductPage {
  package func prepare(_ templates: TemplateSet) throws -> [Asset] {
    try templates.prepare(Content.self)
  }

  package func location(
    _ query: Query,
    _ environment: WindowEnvironment
  ) -> any Location<Content.State> {
    var local = Content.Local(query)
    local.resolve(in: environment)
    return PageLocation(page: self, local: local)
  }

  package func windowLocation(
    _ query: Query,
    _ environment: WindowEnvironment
  ) -> any Location<Content.State> {
    let late = Content.Local.parameters.filter(\.isLate)
    return self.location(
      query.setting(late.map { QueryItem(name: $0.name, value: "") }), environment)
  }
}
