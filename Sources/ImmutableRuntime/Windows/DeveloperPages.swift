public import ImmutableUI

/// Pages that a server shows to developers only.
public struct DeveloperPages: Sendable {
  /// They are at these paths, and below them.
  public let roots: [String]
  /// Whether only browsers on the server's machine may see them, also where others have the operators'
  /// token: they can dispatch actions by hand.
  public let areLocal: Bool
  /// Where there are pages of the past.
  public let past: String
  /// A page of the past: read only, and never pushed to; `nil` if nobody knows what it showed.
  public let page: @Sendable (Query, WindowEnvironment) -> PageContent?
  /// Where there are previews; they are below it too.
  public let previews: String
  /// The page at a path of previews, which is never pushed to; `nil` if there is none. It throws
  /// `TemplateError` if templates do not compile.
  public let preview: @Sendable (_ path: String, Query) throws -> PageContent?

  package init(
    root: String,
    areLocal: Bool,
    past: String,
    page: @escaping @Sendable (Query, WindowEnvironment) -> PageContent?,
    previews: String,
    preview: @escaping @Sendable (_ path: String, Query) throws -> PageContent?
  ) {
    self.roots = [root, previews]
    self.areLocal = areLocal
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
