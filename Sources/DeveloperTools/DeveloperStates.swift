import HTMLTemplates
import ImmutableUI

/// The state of a product, part by part, now or after an action.
struct DeveloperStates: Root, Presenter {
  typealias State = DeveloperState

  static let assets: [Asset] = [.style("developer.css")]

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static func page() -> Page<Self> {
    Page(Self.self, at: "/developer/state", title: "State · Developer").unlisted()
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .state) },
    .region("products") { StateProducts(product: $0.local.product) },
    .text("at", optional: { $0.local.at.map { "\($0)" } }),
    .link("now", Local.self) { local, _ in local.at = nil },
    .optional("chosen", [.region("part") { $0 }]) { root in
      root.local.product.map {
        StatePartList(product: $0, id: root.local.at, path: root.local.path, start: root.local.from)
      }
    },
  ])
}

extension DeveloperStates {
  struct Local: LocalState {
    var product: String?
    /// The number of the entry whose resulting state is shown; `nil` for now.
    var at: Int?
    var path = Path()
    /// The first part that is shown.
    var from = 0

    static let parameters: [Parameter<Self>] = [
      Parameter("product", \.product),
      Parameter("at", \.at),
      Parameter("path", \.path),
      Parameter("from", \.from),
    ]
  }
}
