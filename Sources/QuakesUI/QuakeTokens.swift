import HTMLTemplates
import ImmutableUI

/// What keeps earthquakes out of the list, each as a link that takes it away.
struct QuakeTokens: Presenter, Hashable {
  /// As it was entered.
  private let searchText: String
  private let minimum: MinimumMagnitude

  init(searchText: String, minimum: MinimumMagnitude) {
    self.searchText = searchText
    self.minimum = minimum
  }

  static let template = Template<Self>([
    .optional(
      "minimum",
      [
        .text("name") { $0.name },
        .link("remove", QuakesLocal.self) { local, _ in local.show(from: .all) },
      ]
    ) { $0.minimum == .all ? nil : $0.minimum },
    .optional(
      "search",
      [
        .text("text") { $0 },
        .link("remove", QuakesLocal.self) { local, _ in local.search(for: "") },
      ]
    ) { $0.searchText.isEmpty ? nil : $0.searchText },
  ])
}
