import HTMLTemplates
import ImmutableUI

/// Links that choose the product whose state is shown.
struct StateProducts: Presenter, Hashable {
  @SelectProducts private var products: [String]
  let product: String?

  static let template = Template<Self>([
    .flag("isChosen") { $0.product != nil },
    .each(
      "products",
      [
        .text("name") { $0.name },
        .flag("isCurrent") { $0.isCurrent },
        .link("choose", DeveloperStates.Local.self) { local, choice in
          local.product = choice.name
          local.at = nil
          local.since = nil
          local.path = Path()
          local.from = 0
        },
      ]
    ) { component in
      component.products.map { Choice(name: $0, isCurrent: $0 == component.product) }
    },
  ])

  private struct Choice: Sendable {
    let name: String
    let isCurrent: Bool
  }
}
