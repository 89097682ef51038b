import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// The windows, by what they show.
struct WindowList: Presenter, Hashable {
  private static let limit = 500

  @Selected<[ShownWindow]> private var windows: [ShownWindow]
  @Selected(outputSelector: \.windows.count) private var count: Int
  @Selected(outputSelector: \.loaded) private var loaded: LoadedRecording?

  /// - Parameter search: Its words must occur in what a row says. Without words, all windows are shown.
  init(_ search: String = "") {
    self._windows = Selected(id: search, outputSelector: { $0.windows(foundBy: search) })
  }

  static let template = Template<Self>([
    .flag("isSearched") { $0.count > 0 },
    .flag("isLive") { $0.loaded == nil },
    .flag("isEmpty") { $0.windows.isEmpty },
    .text("summary") { $0.summary },
    .flag("isCut") { $0.windows.count > Self.limit },
    .text("limit") { _ in "\(Self.limit)" },
    .form("refresh", Self.onTapRefreshWindowsButton),
    .rows("windows", Self.row) { $0.windows.prefix(Self.limit).map(Row.init) },
  ])

  private var summary: String {
    let (found, places) = (self.windows.count, Set(self.windows.map(\.place)).count)
    let all = self.count.counting("window", "windows")
    return (found == self.count ? all : "\(found.grouped) of \(all)")
      + " at \(places.counting("place", "places"))"
  }

  private static let row: Slots<Row> = [
    .text("id") { $0.shownWindow.id.text },
    .text("url") { $0.shownWindow.url },
    .text("product") { ProductDispatch.productName(of: $0.shownWindow.product) },
    .text("place") { "\($0.shownWindow.place)" },
    .optional("size", [.text("kilobytes") { "\(($0 + 1_023) / 1_024)" }]) {
      $0.shownWindow.bytes > 0 ? $0.shownWindow.bytes : nil
    },
    .text("browser") { $0.browser ?? "" },
    .text("connection") { $0.connection },
    .link("network", DeveloperWindows.Local.self) { $0.browser = $1.browser },
    .link("lookBack", to: DeveloperTime.page()) {
      $0.url = $1.shownWindow.url
      $0.seen = PageTime($1.shownWindow.environment)
    },
    .link("actions", to: DeveloperLog.page()) { $0.window = $1.shownWindow.id.text },
  ]

  private static let onTapRefreshWindowsButton = Form<DeveloperAction>(
    "refreshWindows", .repeatable
  ) {
    .ui(.onTapRefreshWindowsButton)
  }

  private struct Row: Identifiable, Hashable, Sendable {
    /// Without its connection, which changes with each byte that is sent.
    let shownWindow: ShownWindow
    let browser: String?
    /// For a person.
    let connection: String

    init(_ window: ShownWindow) {
      var shown = window
      shown.connection = nil
      self.shownWindow = shown
      self.browser = window.connection?.browser
      self.connection = window.connection?.words ?? ""
    }

    var id: String { self.shownWindow.id.text }
  }
}

extension DeveloperState {
  /// - Complexity: O(n), n windows.
  fileprivate func windows(foundBy search: String) -> [ShownWindow] {
    let words = SearchedText.words(of: search)
    guard words.isEmpty == false else { return self.windows }
    return self.windows.filter { SearchedText($0.searchText).contains(all: words) }
  }
}

extension ShownWindow {
  /// What the page of windows finds it by. That page itself has the search in its URL.
  fileprivate var searchText: String {
    [
      self.product == DeveloperState.name ? String(self.url.prefix { $0 != "?" }) : self.url,
      ProductDispatch.productName(of: self.product), self.id.text,
      self.connection.map { "Browser \($0.browser) \($0.words)" } ?? "",
    ].joined(separator: " ")
  }
}
