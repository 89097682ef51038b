import HTMLTemplates
import ImmutableUI
import QuakesData

/// Sorts the list of this window.
struct SortMenu: Presenter, Hashable {
  @SelectQuakesValues private var quakes: [Quake]
  private let sort: QuakeList.Sort

  init(search: QuakeList.Search, sort: QuakeList.Sort) {
    self._quakes = SelectQuakesValues(search, sort)
    self.sort = sort
  }

  private var orders: [Choice] {
    QuakeList.SortOrder.allCases.map { order in
      Choice(name: order.name, isCurrent: order == self.sort.order) { $0.sort(order) }
    }
  }

  private var parameters: [Choice] {
    QuakeList.SortParameter.allCases.map { parameter in
      Choice(name: parameter.name, isCurrent: parameter == self.sort.parameter) {
        $0.sort(by: parameter)
      }
    }
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.quakes.isEmpty },
    .each("orders", Choice.slots) { $0.orders },
    .each("parameters", Choice.slots) { $0.parameters },
  ])
}

extension SortMenu {
  private struct Choice: Sendable {
    let name: String
    let isCurrent: Bool
    let change: @Sendable (inout LocalChange<QuakesLocal>) -> Void

    static let slots: Slots<Self> = [
      .text("name") { $0.name },
      .flag("isCurrent") { $0.isCurrent },
      .link("choose", QuakesLocal.self) { $1.change(&$0) },
    ]
  }
}
