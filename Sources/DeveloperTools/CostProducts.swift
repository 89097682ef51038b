import HTMLTemplates
import ImmutableUI

/// Links that choose the product whose frames are shown.
struct CostProducts: Presenter, Hashable {
  @SelectFrameProducts private var products: [String]
  let product: String?

  static let template = Template<Self>([
    .choices(
      "products", \DeveloperCost.Local.product, of: { [nil] + $0.products },
      label: { $0 ?? "All" }
    ) {
      $0.product
    } change: {
      $0.frame = nil
    }
  ])
}
