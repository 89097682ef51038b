import HTMLTemplates
import ImmutableUI

/// The log: each action, where it came from, and what it has changed.
struct DeveloperLog: Root, Presenter {
  typealias State = DeveloperState

  static let assets: [Asset] = [.style("developer.css")]

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static func page() -> Page<Self> {
    Page(Self.self, at: "/developer", title: "Log · Developer").unlisted()
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .log) },
    .localForm("searchForm", Local.self),
    .field("search", Local.searchField),
    .region("products") { LogProducts(product: $0.local.product) },
    .region("recording") { _ in LogRecording() },
    .region("entries") { LogEntries(search: $0.local.search, product: $0.local.product) },
    .optional("entry", [.region("entryDetail") { LogEntryDetail(id: $0) }]) { $0.local.entry },
  ])

  static let references: [Reference<Self>] = [
    .selection(["entries": \.entry], of: DeveloperState.selectEntry, once: { _ in true })
  ]
}

extension DeveloperLog {
  struct Local: LocalState {
    var search = ""
    /// `nil`: all.
    var product: String?
    /// The number of the entry that is open.
    var entry: Int?

    static let parameters: [Parameter<Self>] = [
      Parameter(Self.searchField, \.search),
      Parameter("product", \.product),
      Parameter("entry", \.entry),
    ]
    static let searchField = Field.text("search", .search, limit: 100)
  }
}
