public import ImmutableUI

/// Pages that a server shows to developers only.
public struct DeveloperPages: Sendable {
  /// They are at this path, and below it.
  public let root: String
  /// Where there are pages of the past.
  public let past: String
  /// A page of the past: read only, and never pushed to; `nil` if nobody knows what it showed.
  public let page: @Sendable (Query, WindowEnvironment) -> PageContent?

  package init(
    root: String,
    past: String,
    page: @escaping @Sendable (Query, WindowEnvironment) -> PageContent?
  ) {
    self.root = root
    self.past = past
    self.page = page
  }

  /// Whether a path or URL is that of one of these pages.
  public func contain(_ url: some StringProtocol) -> Bool {
    let path = url.prefix { $0 != "?" }
    return path == self.root || path.hasPrefix("\(self.root)/")
  }
}
