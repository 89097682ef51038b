import HTMLTemplates
import ImmutableUI
import QuakesData

/// Sorts the list of this window.
struct SortMenu: Component, Hashable {
  let search: QuakeList.Search
  let sort: QuakeList.Sort

  var body: some Component {
    Container(search: self.search, sort: self.sort)
  }
}

extension SortMenu {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]
    private let sort: QuakeList.Sort

    init(search: QuakeList.Search, sort: QuakeList.Sort) {
      self._quakes = SelectQuakesValues(search, sort)
      self.sort = sort
    }

    var body: some Component {
      Presenter(isEmpty: self.quakes.isEmpty, sort: self.sort)
    }
  }

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

  private struct Presenter: ImmutableUI.Presenter {
    let isEmpty: Bool
    let sort: QuakeList.Sort

    var orders: [Choice] {
      QuakeList.SortOrder.allCases.map { order in
        Choice(name: order.name, isCurrent: order == self.sort.order) { $0.sort(order) }
      }
    }

    var parameters: [Choice] {
      QuakeList.SortParameter.allCases.map { parameter in
        Choice(name: parameter.name, isCurrent: parameter == self.sort.parameter) {
          $0.sort(by: parameter)
        }
      }
    }

    static let template = Template<Self>([
      .flag("isEmpty") { $0.isEmpty },
      .each("orders", Choice.slots) { $0.orders },
      .each("parameters", Choice.slots) { $0.parameters },
    ])
  }
}
