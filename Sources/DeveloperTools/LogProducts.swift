import HTMLTemplates
import ImmutableUI

/// Of which product actions show.
struct LogProducts: Presenter, Hashable {
  @SelectProducts private var products: [String]
  let product: String?

  private var choices: [Choice] {
    [Choice(name: nil, isCurrent: self.product == nil)]
      + self.products.map { Choice(name: $0, isCurrent: $0 == self.product) }
  }

  static let template = Template<Self>([
    .each(
      "products",
      [
        .text("name") { $0.name ?? "All" },
        .flag("isCurrent") { $0.isCurrent },
        .link("choose", DeveloperLog.Local.self) { $0.product = $1.name },
      ]
    ) { $0.choices }
  ])

  private struct Choice: Sendable {
    let name: String?
    let isCurrent: Bool
  }
}
