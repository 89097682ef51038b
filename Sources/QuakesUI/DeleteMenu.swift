import HTMLTemplates
import ImmutableUI
import QuakesData

/// Deletes the selected earthquake, or asks whether to delete all.
struct DeleteMenu: Component, Hashable {
  private let listSelection: Quake.ID?

  init(listSelection: Quake.ID?) {
    self.listSelection = listSelection
  }

  var body: some Component {
    Container(listSelection: self.listSelection)
  }
}

extension DeleteMenu {
  private struct Container: Component {
    @SelectQuake private var quake: Quake?
    @SelectQuakesCount private var totalQuakes

    init(listSelection: Quake.ID?) {
      self._quake = SelectQuake(quakeId: listSelection)
    }

    var body: some Component {
      Presenter(quake: self.quake, isEmpty: self.totalQuakes == 0)
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let quake: Quake?
    let isEmpty: Bool

    var values: [QueryItem] {
      self.quake.map { [QueryItem(name: "quakeId", value: $0.id)] } ?? []
    }

    static let template = Template<Self>([
      .flag("isEmpty") { $0.isEmpty },
      .flag("hasSelection") { $0.quake != nil },
      .form("deleteSelected", DeleteMenu.onTapDeleteSelectedQuakeButton, values: { $0.values }),
      .link("deleteAll") { _ in QuakesLocal.presenting(.deleteAll) },
    ])
  }
}

extension DeleteMenu {
  static let onTapDeleteSelectedQuakeButton = Form<QuakesAction>("deleteSelected") { fields in
    .ui(
      .quakeList(
        .onTapDeleteSelectedQuakeButton(
          quakeId: try fields.text("quakeId", "Select an earthquake to delete.")
        )
      )
    )
  }
}
