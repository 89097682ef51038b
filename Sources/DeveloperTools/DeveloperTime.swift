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
    .optional("chosen", Self.chosen) { $0.local.url.isEmpty ? nil : $0.local },
  ])

  private static let chosen: Slots<Local> = [
    .region("steps") { TimeSteps(url: $0.url, id: $0.at) },
    .region("causes") { TimeCauses(url: $0.url, id: $0.at) },
  ]
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
