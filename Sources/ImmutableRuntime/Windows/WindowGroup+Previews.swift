import HTMLTemplates
import ImmutableData
package import ImmutableUI

// Previews: components in sample states, which no window shows.
extension WindowGroup {
  /// The previews of all components that pages can show, by the component's name.
  ///
  /// - Throws: `TemplateError` if templates do not compile.
  package var previews: [PreviewDeclaration] {
    get throws { try self.templates.previews }
  }

  /// The components that pages can show, by name.
  ///
  /// - Throws: `TemplateError` if templates do not compile.
  package var components: [any Component.Type] {
    get throws { try self.templates.components }
  }

  /// The names of the components without a preview, such as `CounterUI.Content`. A preview of a
  /// component is one of its body, too.
  ///
  /// - Parameter modules: The modules whose components are checked.
  /// - Throws: `TemplateError` if templates do not compile.
  package func componentsWithoutPreview(in modules: Set<String>) throws -> [String] {
    func body<C: Component>(of component: C.Type) -> any Component.Type { C.Body.self }
    let previewed = try Set(
      self.previews.flatMap { [$0.component, body(of: $0.component)] }.map { ObjectIdentifier($0) })
    return try self.components.filter { previewed.contains(ObjectIdentifier($0)) == false }
      .map { String(reflecting: $0) }
      .filter { name in modules.contains { name.hasPrefix("\($0).") } }
  }

  /// Compiles the templates of components that no page can show, unless they are already compiled.
  ///
  /// - Throws: `TemplateError` for the first template that does not compile.
  package func prepare(_ components: any Component.Type...) throws {
    for component in components { try self.templates.prepareOnce(component) }
  }

  /// A page that shows a preview.
  ///
  /// - Parameters:
  ///   - preview: The preview. The templates of its component must be compiled.
  ///   - path: The path of the page, to which its links lead.
  ///   - query: The preview's local state; see ``PreviewDeclaration/scene(_:)``.
  ///   - appearance: The appearance of the page.
  /// - Throws: `TemplateError` if templates do not compile, ``PreviewFailure`` if the preview cannot
  ///   be shown.
  package func page(
    of preview: PreviewDeclaration,
    at path: String,
    _ query: Query? = nil,
    _ appearance: Appearance = .bare
  ) throws -> PageContent {
    func page<State>(_ scene: some PreviewScene<State>) throws -> PageContent {
      let context = PageContext(
        path: PagePath(path),
        query: PreviewDeclaration.query(of: scene),
        overlay: scene.overlay
      )
      let title = "\(preview.name) · \(preview.componentName)"
      return try self.page(
        of: scene.root, preview.component, in: scene.state, title: title, context, appearance)
    }
    return try page(preview.scene(query))
  }

  /// A page that shows a component, without a window.
  ///
  /// - Parameters:
  ///   - component: The component. Its templates must be compiled.
  ///   - state: The state that its selectors read.
  ///   - title: The document's title.
  ///   - path: The path of the page.
  ///   - refused: The refused submission that it answers.
  /// - Throws: `TemplateError` if templates do not compile.
  package func page<C: Component & Hashable>(
    of component: C,
    in state: some StoreState,
    title: String,
    at path: String,
    refused: RefusedSubmission? = nil
  ) throws -> PageContent {
    try self.page(
      of: RegionComponent(component),
      C.self,
      in: state,
      title: title,
      PageContext(path: PagePath(path), query: Query(), refused: refused),
      nil
    )
  }

  private func page(
    of root: RegionComponent,
    _ component: any Component.Type,
    in state: some StoreState,
    title: String,
    _ context: PageContext,
    _ appearance: Appearance?
  ) throws -> PageContent {
    let templates = try self.templates
    let renderer = StillRenderer(
      in: state, templates: templates, logger: self.configuration.logger)
    let composition = renderer.composition(of: root, title: title)
    var content = PageContent(
      still: composition, assets: templates.assets(around: component), context: context)
    content.appearance = appearance
    return content
  }

  /// The newest templates, which all products share.
  private var templates: TemplateSet {
    get throws {
      guard let product = self.allProducts.first else {
        throw WindowError(code: .unknownPage, message: "There are no pages.")
      }
      return try product.templates.get()
    }
  }
}
