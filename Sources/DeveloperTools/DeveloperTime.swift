import Foundation
import HTMLTemplates
import ImmutableUI

/// A page as it was after any of the recorded actions.
struct DeveloperTime: DeveloperPage {
  static let path = "/developer/time"
  static let label = "Time"

  static let assets: [Asset] = [
    .style("developer.css"), .module("opened.js"), .module("inspect.js"), .module("slider.js"),
  ]

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .time) },
    .localForm("urlForm", Local.self),
    .field("url", Local.urlField),
    .optional("chosen", Self.chosen) { $0.local.url.isEmpty ? nil : $0.local },
  ])

  private static let chosen: Slots<Local> = [
    .region("steps") {
      TimeSteps(url: $0.url, id: $0.at, in: $0.environment, region: $0.region)
    },
    .optional("inspected", [.region("region") { $0 }]) { local in
      local.region.map {
        TimeRegion(url: local.url, id: local.at, in: local.environment, region: $0)
      }
    },
    .region("causes") {
      TimeCauses(url: $0.url, id: $0.at, in: $0.environment, region: $0.region)
    },
  ]
}

extension String {
  /// The path and query in the address of a page, which may come from a browser's address bar.
  var pathOfPage: String {
    guard let scheme = ["http://", "https://"].first(where: { self.hasPrefix($0) }) else {
      return self
    }
    let path = self.dropFirst(scheme.count).drop { $0 != "/" }.prefix { $0 != "#" }
    return path.isEmpty ? "/" : String(path)
  }
}

extension DeveloperTime {
  struct Local: LocalState {
    /// The path and query of a page.
    var url = ""
    /// The number of the entry after which the page is shown; `nil` for the newest.
    var at: Int?
    /// How the window showed it; `nil` for the developer's own time zone and visitor, and the time of
    /// the entry or now.
    var seen: PageTime?
    /// The name of the region that is inspected.
    var region: String?
    /// The same as ``seen`` if that is set. Not in the URL.
    private(set) var environment = PageTime(timeZone: .gmt, date: nil)

    static let parameters: [Parameter<Self>] = [
      Parameter(Self.urlField, \.url, limit: 4_096),
      Parameter(Self.atField, \.at).reset(by: \.url),
      Parameter("seen", \.seen).reset(by: \.url),
      Parameter("region", \.region).reset(by: \.url),
    ]
    static let urlField = Field.text("url", limit: 4_000)
    static let atField = Field<Int>.slider("at")

    mutating func resolve(in environment: WindowEnvironment) {
      self.url = self.url.pathOfPage
      self.environment =
        self.seen
        ?? PageTime(
          timeZone: environment.timeZone, date: self.at == nil ? environment.date : nil,
          visitor: environment.visitor)
    }
  }
}
