public import ImmutableUI

/// Pages that a server shows to developers only.
public struct DeveloperPages: Sendable {
  /// The paths of the pages. There are also pages below them.
  public let roots: [String]
  /// Whether only browsers on the server's machine may see them, even if others have the operators'
  /// token, because they can dispatch actions by hand.
  public let areLocal: Bool
  /// The path of past pages.
  public let past: String
  /// A past page: read-only, and without pushes; `nil` if its content is unknown.
  public let page: @Sendable (Query, WindowEnvironment) async -> PageContent?
  /// The path of the previews. There are also pages below it.
  public let previews: String
  /// The page at a path of previews, without pushes; `nil` if there is none. It throws
  /// `TemplateError` if templates do not compile.
  public let preview: @Sendable (_ path: String, Query) throws -> PageContent?

  /// Lets developers choose a region of a page of a product, and opens a page that explains the
  /// region.
  public struct Picker: Sendable {
    /// The URL of the developer page. Its parameter `url` is the product's page, and `region` the
    /// region.
    public let url: String
    public let assets: [Asset]

    package init(url: String, assets: [Asset]) {
      self.url = url
      self.assets = assets
    }
  }

  /// The picker of a page, given its path and query.
  public let picker: @Sendable (_ url: String) -> Picker

  package init(
    root: String,
    areLocal: Bool,
    picker: @escaping @Sendable (_ url: String) -> Picker,
    past: String,
    page: @escaping @Sendable (Query, WindowEnvironment) async -> PageContent?,
    previews: String,
    preview: @escaping @Sendable (_ path: String, Query) throws -> PageContent?
  ) {
    self.roots = [root, previews]
    self.areLocal = areLocal
    self.picker = picker
    self.past = past
    self.page = page
    self.previews = previews
    self.preview = preview
  }

  /// Whether a path or URL is that of one of these pages.
  public func contain(_ url: some StringProtocol) -> Bool {
    self.roots.contains { Self.is(url, at: $0) }
  }

  /// Whether a path is that of previews.
  public func arePreviews(at path: String) -> Bool {
    Self.is(path, at: self.previews)
  }

  private static func `is`(_ url: some StringProtocol, at root: String) -> Bool {
    let path = url.prefix { $0 != "?" }
    return path == root || path.hasPrefix("\(root)/")
  }
}
