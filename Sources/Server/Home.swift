import AnimalsUI
import CounterUI
import HTMLTemplates
import ImmutableUI
import QuakesUI

/// The home page, which lists the products.
struct Home: Root {
  typealias State = AppState

  static let assets: [Asset] = [.style("home.css"), .module("home.js")]

  init(_ local: NoLocalState) {}

  var body: some Component {
    Presenter(
      products: [
        Product(
          path: CounterUI.Content.page().url(),
          name: "Counter",
          summary: "One number that everybody shares. Open it in two tabs and press a button."
        ),
        Product(
          path: AnimalsUI.Content.page().url(),
          name: "Animals",
          summary: "A catalog that everybody edits together. What you delete can be brought back."
        ),
        Product(
          path: QuakesUI.Content.page().url(),
          name: "Quakes",
          summary: "Each day\u{2019}s earthquakes in a list and on a map. Play a day or a month."
        ),
      ]
    )
  }
}

extension Home {
  private struct Product: Sendable {
    let path: String
    let name: String
    let summary: String
  }

  private struct Presenter: ImmutableUI.Presenter {
    let products: [Product]
    let counter = CounterUI.Content.page().url()

    static let template = Template<Self>([
      .text("counter") { $0.counter },
      .each(
        "products",
        [
          .text("path") { $0.path },
          .text("name") { $0.name },
          .text("summary") { $0.summary },
        ]
      ) { $0.products },
    ])
  }
}
