import HTMLTemplates
import ImmutableUI

/// Links that choose the product whose state is shown.
struct StateProducts: Presenter, Hashable {
  @SelectProducts private var products: [String]
  let product: String?

  static let template = Template<Self>([
    .flag("isChosen") { $0.product != nil },
    .choices(
      "products", \DeveloperStates.Local.product, of: { $0.products },
      label: { $0 ?? "" }
    ) {
      $0.product
    } change: { local in
      local.at = nil
      local.since = nil
      local.path = Path()
      local.from = 0
    },
  ])
}
