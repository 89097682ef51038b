import HTMLTemplates
import ImmutableUI

/// A page as it was after any of the recorded actions.
struct DeveloperTime: Root, Presenter {
  typealias State = DeveloperState

  static let assets: [Asset] = [.style("developer.css")]

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static func page() -> Page<Self> {
    Page(Self.self, at: "/developer/time", title: "Time · Developer").unlisted()
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .time) },
    .localForm("urlForm", Local.self) { $0.at = nil },
    .field("url", Local.urlField),
    .optional("chosen", [.region("steps") { $0 }]) { root in
      root.local.url.isEmpty ? nil : TimeSteps(url: root.local.url, id: root.local.at)
    },
  ])
}

extension DeveloperTime {
  struct Local: LocalState {
    /// Path and query of a page.
    var url = ""
    /// The number of the entry after which; `nil`: the newest.
    var at: Int?

    static let parameters: [Parameter<Self>] = [
      Parameter(Self.urlField, \.url, limit: 4_096),
      Parameter("at", \.at),
    ]
    static let urlField = Field.text("url", limit: 4_000)
  }
}
