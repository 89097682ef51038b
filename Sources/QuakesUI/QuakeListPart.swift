import ImmutableUI
import QuakesData

/// Which of many earthquakes the list shows, with links to the others.
struct QuakeListPart: Component, Hashable {
  @SelectQuakesValues private var quakes: [Quake]
  private let part: ListPart.Number
  private let listSelection: Quake.ID?

  init(_ local: QuakesLocal) {
    self._quakes = SelectQuakesValues(local.search, local.sort)
    self.part = local.part
    self.listSelection = local.listSelection
  }

  var body: some Component {
    ListPartLinks(
      \QuakesLocal.part,
      showing: self.part,
      of: self.quakes,
      selection: self.listSelection
    )
  }
}
