import ImmutableUI
import QuakesData

/// Deletes the selected earthquake, or all. It needs no confirmation, since a toast can undo it.
struct DeleteMenu: Presenter, Hashable {
  /// The selected quake, only if it matches the search, so that hidden quakes cannot be deleted.
  @SelectQuake private var quake: Quake?
  @SelectQuake private var selectedQuake: Quake?
  @SelectHasQuakes private var hasQuakes

  init(_ local: QuakesLocal) {
    self._quake = SelectQuake(quakeId: local.listSelection, in: local.search.quakes)
    self._selectedQuake = SelectQuake(quakeId: local.listSelection)
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.hasQuakes == false },
    .flag("hasSelection") { $0.quake != nil },
    .flag("isHidden") { $0.quake == nil && $0.selectedQuake != nil },
    .form("deleteSelected", DeleteMenu.onTapDeleteSelectedQuakeButton) {
      ["data-key": $0.quake?.id ?? ""]  // what happens to a post shows only with its earthquake
    },
    .field("quakeId", DeleteMenu.quakeId) { $0.quake?.id },
    .form("deleteAll", DeleteMenu.onTapDeleteAllQuakesButton),
  ])
}

extension DeleteMenu {
  /// Refuses to delete an earthquake that the posting window does not show, such as one of another
  /// day or search on an old page.
  static func check(
    _ fields: FormFields,
    _ local: QuakesLocal,
    _ state: QuakesState
  ) throws {
    guard fields.isOf(self.onTapDeleteSelectedQuakeButton),
      let quake = QuakesState.selectQuake(quakeId: fields[self.quakeId])(state),
      local.search.quakes.finds(quake) == false
    else { return }
    throw Refusal(
      .conflict,
      "The selected earthquake is not in this list any more. Nothing was deleted; select one that is "
        + "shown."
    )
  }

  private static let onTapDeleteAllQuakesButton = Form<QuakesAction>("deleteAll") {
    .ui(.quakeList(.onTapDeleteAllQuakesButton))
  }

  private static let quakeId = Field<Quake.ID>.hidden("quakeId", "Select an earthquake to delete.")

  private static let onTapDeleteSelectedQuakeButton = Form<QuakesAction>(
    "deleteSelected",
    fields: Self.quakeId
  ) {
    .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: $0)))
  }
}
