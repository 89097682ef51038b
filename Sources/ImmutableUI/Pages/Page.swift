import ImmutableData

/// A root component at a path. All forms of its product can be posted to it.
///
/// ```swift
/// Page(Content.self, at: "/counter", title: "Counter")
/// ```
public struct Page<Content: Root>: Sendable {
  package let path: PagePath
  package let title: String
  /// The page's label in the navigation; `nil` if it is not listed.
  package internal(set) var navigationLabel: String?
  package let parameterNames: [String]

  /// - Parameters:
  ///   - content: The component that the page shows.
  ///   - path: The path, which starts with `/`. The segment `:name` is a parameter of local state,
  ///     and `:name?` may be missing: `/animals/:animal?`. It is a programmer error if local state
  ///     has no such parameter, or if a required one has a default, which no URL could contain.
  ///   - title: The document's title.
  public init(
    _ content: Content.Type,
    at path: String,
    title: String
  ) {
    self.path = PagePath(path)
    self.parameterNames = Content.Local.parameters.map { $0.name }
    precondition(
      Set(self.parameterNames).count == self.parameterNames.count,
      "\(Content.Local.self) has two parameters with the same name, of \(self.parameterNames)"
    )
    let parameters = ParameterIndex<Content.Local>()
    for parameter in Content.Local.parameters {
      for property in parameter.resetters {
        precondition(
          parameters[property] != nil,
          "the parameter \"\(parameter.name)\" of \(Content.Local.self) is reset by \(property), which "
            + "is no parameter"
        )
      }
    }
    for name in self.path.parameters {
      guard let parameter = Content.Local.parameters.first(where: { $0.name == name }) else {
        preconditionFailure(
          "\(path) has a parameter \":\(name)\" that \(Content.Local.self) has not")
      }
      precondition(
        self.path.required.contains(name) == false || parameter.initial.allSatisfy(\.isEmpty),
        "\(path) requires \":\(name)\", whose default is a value; make it nil, or write \":\(name)?\""
      )
    }
    self.title = title
    self.navigationLabel = title
  }
}

extension Page {
  /// The path and query of the page.
  ///
  /// ```swift
  /// Content.page().url { $0.select(animal: animal) }  // "/animals/dog"
  /// ```
  ///
  /// - Parameter change: Sets the properties of local state that differ from their defaults, among
  ///   them all required parameters of the path. If one is missing, that is logged and fails a
  ///   `TestApp`.
  public func url(_ change: (inout LocalChange<Content.Local>) -> Void = { _ in }) -> String {
    let query = LocalChange.local(change).query
    if self.path.isComplete(query) == false {
      Rendering.context?.counters.report(
        "a link to \(self.path.text) does not set all of: \(self.path.required.joined(separator: ", "))"
      )
    }
    return self.path.url(query)
  }
}

/// A page of a product. The type of its root component is erased.
package protocol ProductPage<State>: Sendable {
  associatedtype State: StoreState

  var path: PagePath { get }
  var title: String { get }
  var navigationLabel: String? { get }
  /// The name of the type of its local state.
  var localStateName: String { get }
  /// The names of the parameters of its local state.
  var parameterNames: [String] { get }

  /// Whether a query has all that the path requires, and it can be read.
  func reads(_ query: Query) -> Bool

  /// Whether a value in the path can be read.
  func reads(_ item: QueryItem) -> Bool

  /// Compiles the page's templates.
  ///
  /// - Returns: The assets that its components need.
  func prepare(_ templates: TemplateSet) throws -> [Asset]

  /// What the query of a location contains, with pseudonyms instead of what people enter.
  func items(
    _ query: Query,
    _ environment: WindowEnvironment,
    redacted pseudonym: (String) -> String
  ) -> [QueryItem]

  /// The location of a requested page.
  func location(_ query: Query, _ environment: WindowEnvironment) -> any Location<State>

  /// The location of a window: without late parameters, which only pages have.
  func windowLocation(_ query: Query, _ environment: WindowEnvironment) -> any Location<State>
}

extension Page: ProductPage {
  package var localStateName: String { "\(Content.Local.self)" }

  package func prepare(_ templates: TemplateSet) throws -> [Asset] {
    try templates.prepare(Content.self)
  }

  package func items(
    _ query: Query,
    _ environment: WindowEnvironment,
    redacted pseudonym: (String) -> String
  ) -> [QueryItem] {
    var local = self.local(query, environment)
    for parameter in Content.Local.parameters { parameter.redact?(&local, pseudonym) }
    let personal = Content.Local.parameters.filter { $0.isPersonal && $0.redact == nil }
    return local.query.items.map { item in
      personal.contains { $0.name == item.name }
        ? QueryItem(name: item.name, value: pseudonym(item.value)) : item
    }
  }

  package func reads(_ query: Query) -> Bool {
    self.path.required.isEmpty || self.path.isComplete(Content.Local(query).query)
  }

  package func reads(_ item: QueryItem) -> Bool {
    guard let parameter = Content.Local.parameters.first(where: { $0.name == item.name }) else {
      return false
    }
    if parameter.initial == [item.value] { return true }
    guard parameter.allows([item.value]) else { return false }
    // Whether it has a meaning (`Parameter.when`) depends on the rest of the local state.
    var local = Content.Local()
    parameter.read([item.value], &local)
    return parameter.items(local, Content.Local()).isEmpty == false
  }

  package func location(
    _ query: Query,
    _ environment: WindowEnvironment
  ) -> any Location<Content.State> {
    PageLocation(page: self, local: self.local(query, environment), environment: environment)
  }

  package func windowLocation(
    _ query: Query,
    _ environment: WindowEnvironment
  ) -> any Location<Content.State> {
    PageLocation(
      page: self,
      local: self.local(query, environment).withoutLate,
      environment: environment
    )
  }

  private func local(_ query: Query, _ environment: WindowEnvironment) -> Content.Local {
    var local = Content.Local(query)
    local.resolve(in: environment)
    return local
  }
}
