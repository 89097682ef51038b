import HTMLTemplates
import ImmutableUI

/// Links that choose the product whose actions are shown.
struct LogProducts: Presenter, Hashable {
  @SelectProducts private var products: [String]
  let product: String?

  static let template = Template<Self>([
    .each(
      "products",
      [
        .text("name") { $0.name },
        .flag("isCurrent") { $0.isCurrent },
        .link("choose", DeveloperLog.Local.self) { $0.product = $1.product },
      ]
    ) { ProductChoice.choices(of: $0.products, current: $0.product) }
  ])
}
