import HTMLTemplates
import ImmutableUI

/// The cost of frames: a timeline, one frame in its parts, and totals by selector and region.
struct DeveloperCost: DeveloperPage {
  static let path = "/developer/cost"
  static let label = "Cost"

  static let assets: [Asset] = [.style("developer.css"), .style("cost.css")]

  @Selected(outputSelector: \.frameProducts) private var products: [String]
  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .cost) },
    .choices("products", \Local.product, of: { [nil] + $0.products }, label: { $0 ?? "All" }) {
      $0.local.product
    },
    .region("recording") { _ in LogRecording() },
    .region("timeline") { CostTimeline(product: $0.local.product, id: $0.local.frame) },
    .region("frame") { CostFrame(product: $0.local.product, id: $0.local.frame) },
    .region("totals") { CostSums(product: $0.local.product) },
  ])
}

extension DeveloperCost {
  struct Local: LocalState {
    /// `nil` for all products.
    var product: String?
    /// The number of the open frame; `nil` for the newest.
    var frame: Int?

    static let parameters: [Parameter<Self>] = [
      Parameter("product", \.product),
      Parameter("frame", \.frame).reset(by: \.product),
    ]
  }
}
