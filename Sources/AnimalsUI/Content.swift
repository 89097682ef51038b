public import AnimalsData
public import ImmutableUI
public import PlainText

/// The catalog: categories, the animals of the selected one or all, and the selected animal.
///
/// Source: the guide, chapter AnimalsUI, section Content.
public struct Content: Root, Presenter {
  public typealias State = AnimalsState

  // When they are needed, start.js loads rows.js and categories.js, and in narrow windows panes.js.
  public static let assets: [Asset] = [
    .style("animals.css"), .module("conflicts.js"), .module("start.js"),
  ]

  private let local: AnimalsLocal
  @SelectAnimal private var animal: Animal?
  @SelectCategory private var category: Category?

  public init(_ local: AnimalsLocal = AnimalsLocal()) {
    self.local = local
    self._animal = SelectAnimal(animalId: local.selectedAnimalId)
    self._category = SelectCategory(categoryId: local.selectedCategoryId)
  }

  /// The page that shows the catalog.
  ///
  /// - Parameter path: Where it is served.
  public static func page(at path: String = "/animals/:animal?") -> Page<Self> {
    Page(Self.self, at: path, title: "Animals")
  }

  /// The name of the selection, and of the page.
  public var title: String? {
    (self.animal?.name ?? self.category?.name).map { "\($0.isolated) · Animals" }
  }

  /// A narrow screen shows only the pane that the user has chosen.
  private var pane: String {
    if self.local.selectedAnimalId != nil { return "detail" }
    return self.local.hasChosen ? "animals" : "categories"
  }

  public static let template = Template<Self>([
    .text("pane") { $0.pane },
    .region("categories") { _ in CategoryList() },
    .localForm("searchForm", AnimalsLocal.self) { $0.find(.all) },
    .field("searchText", AnimalsLocal.searchField),
    .region("animals") { AnimalList($0.local) },
    .region("animalsPart") {
      ListPartLinks(
        \AnimalsLocal.start,
        from: $0.local.start,
        at: SelectAnimal(animalId: $0.local.start?.id),
        of: SelectAnimalsValues($0.local),
        selection: SelectAnimal(animalId: $0.local.selectedAnimalId)
      )
    },
    .region("detail") { AnimalDetail(selectedAnimalId: $0.local.selectedAnimalId) },
    .flag("isReloading") { $0.local.sheet.value == .reload },
    .region("reload") { _ in ReloadAlert() },
    .optional("editor", [.region("animalEditor") { $0 }]) { AnimalEditor($0.local) },
    .optional("enlarged", [.region("pictureSheet") { $0 }]) { PictureSheet($0.local) },
  ])
}

// Values that are derived from the state.
extension Content {
  public static let references: [Reference<Self>] = [
    .success(of: \.sheet) { local, submission, state in
      AnimalsState.selectAnimal(addedWhere: submission.hasToken)(state)
        .map { local.didAdd($0, in: state) }
    },
    .selection(
      ["categories": \.selectedRow],
      of: Self.selectRow,
      once: { AnimalsState.selectCategoriesStatus()($0) == .success }
    ),
    .selection(
      ["animals": \.selectedAnimalId],
      of: AnimalsState.selectAnimal(animalId:),
      status: AnimalsState.selectAnimalStatus(animalId:),
      once: { AnimalsState.selectAnimalsStatus()($0) == .success },
      // An open editor keeps its input, even if its animal was deleted.
      unless: { $0.isEditing && $0.seenAnimal != nil }
    ),
    .part(
      \.start,
      of: AnimalsState.selectAnimal(animalId:),
      once: { AnimalsState.selectAnimalsStatus()($0) == .success }
    ),
    // Links to an editor contain the original animal, so this is for addresses without it.
    Reference { local, state in
      guard local.isEditing, local.seenAnimal == nil else { return }
      local.seenAnimal = AnimalsState.selectAnimal(animalId: local.selectedAnimalId)(state)?.seen
    },
    // There may be no picture any more.
    Reference { local, state in
      guard local.sheet.value == .picture, AnimalsState.selectAnimalsStatus()(state) == .success,
        AnimalsState.selectAnimal(animalId: local.selectedAnimalId)(state)?.picture == nil
      else { return }
      local.sheet.value = nil
    },
  ]

  @Sendable private static func selectRow(
    _ id: CategoryList.RowID?
  ) -> @Sendable (AnimalsState) -> CategoryList.RowID? {
    guard case .category(let categoryId) = id else { return { _ in id } }
    return { AnimalsState.selectCategory(categoryId: categoryId)($0) == nil ? nil : id }
  }

  public static let fetches: [Fetch<Self>] = [
    Fetch(.ui(.categoryList(.onAppear)), AnimalsState.selectCategoriesStatus()) { state in
      AnimalsState.selectCategories()(state).isEmpty
    },
    Fetch(.ui(.animalList(.onAppear)), AnimalsState.selectAnimalsStatus()) {
      AnimalsState.selectAnimalsCount()($0) == 0
    },
  ]

  public static func check(_ fields: FormFields, _: AnimalsLocal, _ state: AnimalsState) throws {
    try AnimalEditor.check(fields, state)
  }

  public static func status(of action: AnimalsAction, in state: AnimalsState) -> OperationStatus? {
    guard case .ui(let action) = action else { return nil }
    switch action {
    case .categoryList(.onTapReloadSampleDataButton), .categoryList(.onTapRefreshButton):
      return AnimalsState.selectCategoriesStatus()(state)
    case .categoryList, .animalList, .animalDetail, .animalEditor:
      return AnimalsState.selectAnimalStatus(animalId: action.animalId)(state)
    }
  }
}

extension AnimalName.Problem: RefusalConvertible {
  public var refusal: Refusal {
    Refusal(field: "name", AnimalName.rule.message(self))
  }
}

extension AnimalsReducer.Error: RefusalConvertible {
  /// The message for the user.
  package var refusal: Refusal {
    switch self.code {
    case .animalNotFound:
      Refusal(.unknown, "This animal has been deleted in the meantime.")
    case .animalsNotRead:
      Refusal(
        .conflict,
        "The animals are not loaded, so nothing was changed. Try again once they appear."
      )
    case .categoryNotFound:
      Refusal(field: "category", "This category no longer exists. Select another.")
    case .animalExists:
      Refusal(.gone, "This animal has already been restored.")
    case .noCategoryToRestoreTo:
      Refusal(.conflict, "Its category no longer exists, so this animal cannot be restored.")
    case .positionNotFound:
      Refusal(.conflict, "The animal cannot be moved here. Choose another place.")
    case .catalogFull:
      Refusal(.conflict, "The catalog is full. Delete an animal, then try again.")
    case .picturesNotKept:
      Refusal(.conflict, "Pictures cannot be stored here.")
    case .nameNotUsable(let problem):
      problem.refusal
    case .animalIsWaiting:
      Refusal(.conflict, "This animal is still being saved or deleted. Try again in a moment.")
    case .animalsAreWaiting:
      Refusal(.conflict, "Something is being loaded, saved or deleted. Try again in a moment.")
    }
  }
}
