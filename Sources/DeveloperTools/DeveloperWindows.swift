import HTMLTemplates
import ImmutableUI

/// The windows that there are, and what each shows.
struct DeveloperWindows: Root, Presenter {
  typealias State = DeveloperState

  static let assets: [Asset] = [.style("developer.css")]

  init(_ local: NoLocalState) {}

  static func page() -> Page<Self> {
    Page(Self.self, at: Self.path, title: "Windows · Developer").unlisted()
  }

  static let path = "/developer/windows"

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .windows) },
    .region("list") { _ in WindowList() },
  ])
}
