/// A preview whose component's type is erased.
package struct PreviewDeclaration: Sendable {
  /// The type of the component.
  package let component: any Component.Type
  /// The name of the preview.
  package let name: String
  /// Whether it is a whole page.
  package let isPage: Bool
  private let makeScene: @Sendable (Query?) throws -> any PreviewScene

  init<Content: Previewed>(_ preview: Preview<Content>) {
    self.component = Content.self
    self.name = preview.name
    precondition(
      Self.slug(preview.name).isEmpty == false,
      "the preview \"\(preview.name)\" of \(Content.self) needs a name with letters or digits of ASCII"
    )
    self.isPage = Content.self is any Root.Type || Content.surroundings.isPage
    self.makeScene = preview.scene
  }

  /// The name of the component's module.
  package var moduleName: String {
    String(String(reflecting: self.component).prefix { $0 != "." })
  }

  package var componentName: String { "\(self.component)" }

  /// The name as a part of a URL or of a file's name: `Deleted elsewhere` is `deleted-elsewhere`.
  package var slug: String { Self.slug(self.name) }

  private static func slug(_ name: String) -> String {
    name.lowercased().split { ($0.isASCII && ($0.isLetter || $0.isNumber)) == false }
      .joined(separator: "-")
  }

  /// Its path among all previews: `AnimalsUI/AnimalDetail/selected`.
  package var path: String { "\(self.moduleName)/\(self.componentName)/\(self.slug)" }

  /// The scene that it shows.
  ///
  /// - Parameter query: The local state as it appears in a URL. With `nil`, or without ``mark``, it
  ///   is the declared local state.
  /// - Throws: ``PreviewFailure`` if it cannot be shown.
  package func scene(_ query: Query? = nil) throws -> any PreviewScene {
    guard let query, query[Self.mark] != nil else { return try self.makeScene(nil) }
    return try self.makeScene(Query(query.items.filter { $0.name != Self.mark }))
  }

  /// The parameter that marks URLs whose query contains the whole local state. Without it, as in a
  /// preview's own URL, the local state is the declared one.
  package static let mark = "_inputs"

  /// The query that stands for a scene's local state, and for no other.
  package static func query(of scene: any PreviewScene) -> Query {
    Query([QueryItem(name: Self.mark, value: "yes")] + scene.query.items)
  }
}

extension Previewed {
  static var declarations: [PreviewDeclaration] { self.previews.map { PreviewDeclaration($0) } }
}
