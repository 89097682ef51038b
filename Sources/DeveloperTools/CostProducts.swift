import HTMLTemplates
import ImmutableUI

/// Links that choose the product whose frames are shown.
struct CostProducts: Presenter, Hashable {
  @SelectFrameProducts private var products: [String]
  let product: String?

  static let template = Template<Self>([
    .each(
      "products",
      [
        .text("name") { $0.name },
        .flag("isCurrent") { $0.isCurrent },
        .link("choose", DeveloperCost.Local.self) { local, choice in
          local.product = choice.product
          local.frame = nil
        },
      ]
    ) { ProductChoice.choices(of: $0.products, current: $0.product) }
  ])
}
