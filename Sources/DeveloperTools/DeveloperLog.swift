import Foundation
import HTMLTemplates
import ImmutableUI

/// The log: each action, with its origin and the changes that it made, and what visitors did.
struct DeveloperLog: DeveloperPage {
  static let path = "/developer"
  static let label = "Log"

  @Selected(outputSelector: \.products) private var products: [String]
  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .log) },
    .localForm("searchForm", Local.self),
    .field("search", Local.searchField),
    .choices(
      "products", \Local.product, of: { [nil] + $0.products }, label: { $0 ?? "All" }
    ) { $0.local.product },
    .region("recording") { _ in LogRecording() },
    .choices("kinds", \Local.kind, label: { $0.rawValue.capitalized }) { $0.local.kind },
    .region("entries") { LogEntries($0.local.filter) },
    .optional("entry", [.region("entryDetail") { LogEntryDetail(id: $0) }]) { $0.local.entry },
  ])

  static let references: [Reference<Self>] = [
    .selection(["entries": \.entry], of: DeveloperState.selectEntry)
  ]
}

extension DeveloperLog {
  struct Local: LocalState {
    var kind = LogRow.Kind.both
    var search = ""
    /// `nil` for all products.
    var product: String?
    /// The name of the only action; `nil` for all.
    var action: String?
    /// The id of the only window; `nil` for all.
    var window: String?
    /// The number of the open entry.
    var entry: Int?

    static let parameters: [Parameter<Self>] = [
      Parameter("show", \.kind),
      Parameter(Self.searchField, \.search),
      Parameter("product", \.product),
      Parameter("action", \.action),
      Parameter("window", \.window),
      Parameter("entry", \.entry),
    ]
    static let searchField = Field.text("search", .search, limit: 100)

    var filter: LogFilter {
      LogFilter(
        kind: self.kind, search: self.search, product: self.product, action: self.action,
        window: self.window)
    }
  }
}
