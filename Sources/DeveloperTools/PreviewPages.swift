import ImmutableRuntime
import ImmutableUI

/// The pages of previews: a list of all previews, a page for each, which shows it in every
/// appearance, and each preview on its own.
struct PreviewPages {
  static let path = "/previews"

  let windows: WindowGroup
  let program: InspectedProgram

  /// - Parameters:
  ///   - path: `/previews`, `/previews/MODULE/COMPONENT/NAME`, or that with an ``Appearance``.
  ///   - query: The preview's local state.
  /// - Returns: `nil` if there is no such page.
  /// - Throws: `TemplateError` if templates do not compile, `PreviewFailure` if the preview cannot be
  ///   shown.
  func page(at path: String, _ query: Query) throws -> PageContent? {
    try self.windows.prepare(PreviewList.self, PreviewPage.self, ReportForm.self)
    let previews = try self.windows.previews
    let parts = path.dropFirst(Self.path.count + 1)
      .split(separator: "/", omittingEmptySubsequences: false)
    if path == Self.path { return try self.list(previews) }
    guard let preview = previews.first(where: { $0.path == parts.prefix(3).joined(separator: "/") })
    else { return nil }
    switch parts.count {
    case 3: return try self.page(of: preview, beside: previews, query)
    case 4:
      guard let appearance = Appearance(rawValue: String(parts[3])) else { return nil }
      var content = try self.windows.page(of: preview, at: path, query, appearance)
      content.assets.append(.style("appearances.css"))
      return content
    default: return nil
    }
  }

  private func list(_ previews: [PreviewDeclaration]) throws -> PageContent {
    try self.windows.page(
      of: PreviewList(
        previews: previews.map(PreviewLink.init),
        missing: self.windows.componentsWithoutPreview(in: Set(previews.map(\.moduleName)))
      ),
      in: DeveloperState(self.program),
      title: "Previews",
      at: Self.path
    )
  }

  private func page(
    of preview: PreviewDeclaration,
    beside previews: [PreviewDeclaration],
    _ query: Query
  ) throws -> PageContent {
    try self.windows.page(
      of: PreviewPage(
        link: PreviewLink(preview),
        siblings: previews.filter { $0.component == preview.component }.map(PreviewLink.init),
        inputs: try preview.scene(query).inputs,
        query: query[PreviewDeclaration.mark] == nil ? "" : query.text,
        isPage: preview.isPage
      ),
      in: DeveloperState(self.program),
      title: "\(preview.name) · \(preview.componentName) · Previews",
      at: "\(Self.path)/\(preview.path)"
    )
  }
}

/// The path of a preview.
struct PreviewLink: Hashable, Sendable {
  let module: String
  let component: String
  let name: String
  let path: String
}

extension PreviewLink {
  init(_ preview: PreviewDeclaration) {
    self.init(
      module: preview.moduleName,
      component: preview.componentName,
      name: preview.name,
      path: "\(PreviewPages.path)/\(preview.path)"
    )
  }
}
