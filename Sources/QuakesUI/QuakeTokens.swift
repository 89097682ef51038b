import ImmutableUI
import PlainText

/// The active filters of the list, each as a link that removes it.
struct QuakeTokens: Presenter, Hashable {
  /// The search text as it was entered.
  private let searchText: String
  private let minimum: MinimumMagnitude

  init(_ local: QuakesLocal) {
    self.searchText = SearchText(local.searchText).text
    self.minimum = local.minimumMagnitude
  }

  static let template = Template<Self>([
    .optional(
      "minimum",
      [
        .text("name") { $0.name },
        .link("remove", QuakesLocal.self) { local, _ in local.minimumMagnitude = .all },
      ]
    ) { $0.minimum == .all ? nil : $0.minimum },
    .optional(
      "search",
      [
        .text("text") { $0 },
        .text("isolatedText") { $0.isolated },
        .link("remove", QuakesLocal.self) { local, _ in local.searchText = "" },
      ]
    ) { $0.searchText.isEmpty ? nil : $0.searchText },
  ])
}
