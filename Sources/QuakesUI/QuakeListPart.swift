import HTMLTemplates
import ImmutableUI
import QuakesData

/// Which of many earthquakes the list shows, with links to the others.
struct QuakeListPart: Component, Hashable {
  let search: QuakeList.Search
  let sort: QuakeList.Sort
  let part: ListPart.Number
  let listSelection: Quake.ID?

  var body: some Component {
    Container(search: self.search, sort: self.sort, part: self.part, selection: self.listSelection)
  }
}

extension QuakeListPart {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]
    private let part: ListPart.Number
    private let selection: Quake.ID?

    init(
      search: QuakeList.Search,
      sort: QuakeList.Sort,
      part: ListPart.Number,
      selection: Quake.ID?
    ) {
      self._quakes = SelectQuakesValues(search, sort)
      self.part = part
      self.selection = selection
    }

    var body: some Component {
      let quakes = self.quakes
      let index =
        quakes.count > ListPart.defaultSize && self.selection != nil
        ? quakes.firstIndex { $0.id == self.selection } : nil
      return Presenter(part: ListPart(self.part, of: quakes.count, selection: index))
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let part: ListPart

    static let template = Template<Self>([
      .optional("part", ListPart.slots(\QuakesLocal.part)) {
        $0.part.isOneOfSeveral ? $0.part : nil
      }
    ])
  }
}
