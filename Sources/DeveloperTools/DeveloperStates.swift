import HTMLTemplates
import ImmutableUI

/// The state of a product, part by part, now or after an action, and what has changed since another.
struct DeveloperStates: DeveloperPage {
  static let path = "/developer/state"
  static let label = "State"

  @Selected(outputSelector: \.products) private var products: [String]
  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .state) },
    .flag("isChosen") { $0.local.product != nil },
    .choices("products", \Local.product, of: { $0.products }, label: { $0 ?? "" }) {
      $0.local.product
    },
    .optional("chosen", Self.chosen) { root in
      root.local.product.map { Chosen(product: $0, local: root.local) }
    },
  ])

  private static let chosen: Slots<Chosen> = [
    .region("versions") {
      StateVersions(product: $0.product, id: $0.local.at, since: $0.local.since)
    },
    .optional("compared", [.region("changes") { $0 }]) { chosen in
      chosen.local.since.map {
        StateChangeList(product: chosen.product, since: $0, to: chosen.local.at)
      }
    },
    .region("part") { chosen in
      StatePartList(
        product: chosen.product, id: chosen.local.at, path: chosen.local.path,
        start: chosen.local.from)
    },
  ]

  private struct Chosen: Sendable {
    let product: String
    let local: Local
  }
}

extension DeveloperStates {
  struct Local: LocalState {
    var product: String?
    /// The number of the entry whose resulting state is shown; `nil` for now.
    var at: Int?
    /// The number of the entry since which changes are shown; `nil` for none.
    var since: Int?
    var path = Path()
    /// The first part that is shown.
    var from = 0

    static let parameters: [Parameter<Self>] = [
      Parameter("product", \.product),
      Parameter("at", \.at).reset(by: \.product),
      Parameter("since", \.since).reset(by: \.product),
      Parameter("path", \.path).reset(by: \.product),
      Parameter("from", \.from).reset(by: \.product, \.path),
    ]
  }
}
