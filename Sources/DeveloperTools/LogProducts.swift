import HTMLTemplates
import ImmutableUI

/// Links that choose the product whose actions are shown.
struct LogProducts: Presenter, Hashable {
  @SelectProducts private var products: [String]
  let product: String?

  static let template = Template<Self>([
    .choices(
      "products", \DeveloperLog.Local.product, of: { [nil] + $0.products },
      label: { $0 ?? "All" }
    ) { $0.product }
  ])
}
