import ImmutableData

/// A root component at a path. What can be posted there are the forms of its product.
///
/// ```swift
/// Page(Content.self, at: "/counter", title: "Counter")
/// ```
public struct Page<Content: Root>: Sendable {
  package let path: PagePath
  package let title: String
  /// What navigation calls it; `nil`: it does not lead here.
  package internal(set) var navigationLabel: String?

  /// - Parameters:
  ///   - content: The component that the page shows.
  ///   - path: Starts with `/`. `:name` is a segment that is a parameter of the local state, and `:name?`
  ///     one that may be missing: `/animals/:animal?`. A name that no parameter has is a programmer error.
  ///   - title: Of the document.
  public init(
    _ content: Content.Type,
    at path: String,
    title: String
  ) {
    self.path = PagePath(path)
    for name in self.path.parameters {
      precondition(
        Content.Local.parameters.contains { $0.name == name },
        "\(path) has a parameter \":\(name)\" that \(Content.Local.self) has not"
      )
    }
    self.title = title
    self.navigationLabel = title
  }
}

extension Page {
  /// Path and query of the page.
  ///
  /// ```swift
  /// Content.page().url { $0.select(animal: animal) }  // "/animals/dog"
  /// ```
  ///
  /// - Parameter change: Sets what its local state has that differs from the default.
  public func url(_ change: (inout LocalChange<Content.Local>) -> Void = { _ in }) -> String {
    self.path.url(LocalChange.local(change).query)
  }
}

/// A page of one product, whatever its root component is.
package protocol ProductPage<State>: Sendable {
  associatedtype State: StoreState

  var path: PagePath { get }
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
