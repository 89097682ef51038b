import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// The open windows, what each shows, and how its browser is connected.
struct DeveloperWindows: DeveloperPage {
  static let path = "/developer/windows"
  static let label = "Windows"

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .windows) },
    .region("slowed") { _ in SlowedBrowsers() },
    .localForm("searchForm", Local.self),
    .field("search", Local.searchField),
    .region("list") { WindowList($0.local.search) },
    .optional("browser", [.region("browserDetail") { BrowserDetail($0) }]) { $0.local.browser },
  ])

  /// Each time that the page appears, because without JavaScript nothing else checks the windows.
  static let fetches: [Fetch<Self>] = [
    Fetch(
      .ui(.onAppearWindows), { $0.look == .waiting ? .waiting : nil }, isEmpty: { _ in false })
  ]

  /// Each of these ends by checking the windows again.
  static func status(of action: DeveloperAction, in state: State) -> OperationStatus? {
    switch action {
    case .ui(.onTapRefreshWindowsButton), .ui(.onTapCutOffButton), .ui(.onTapSlowDownButton),
      .ui(.onTapBackToNormalButton):
      state.look
    case .ui, .recorder: nil
    }
  }

  /// For all other changes, the page itself shows the result.
  static func toast(for action: DeveloperAction, in state: State) -> Toast<State>? {
    guard case .ui(.onTapCutOffButton) = action else { return nil }
    return Toast("The browser was cut off. It connects again by itself.")
  }
}

extension DeveloperWindows {
  struct Local: LocalState {
    var search = ""
    /// The name of the browser that is open.
    var browser: String?

    static let parameters: [Parameter<Self>] = [
      Parameter(Self.searchField, \.search),
      Parameter("browser", \.browser),
    ]
    static let searchField = Field.text("search", .search, limit: 100)
  }
}
