import AnimalsData
import ImmutableUI

/// A form for a new or an existing animal. It stays open until the animal is saved.
///
/// Source: the guide, chapter AnimalsUI, section AnimalEditor.
struct AnimalEditor: Presenter, Hashable {
  /// The edited animal; `nil` for a new one, or once it was deleted.
  @SelectAnimal private var animal: Animal?
  @SelectAnimalStatus private var status: Status?
  @SelectAnimalsStatus private var animalsStatus
  @SelectCategoriesValues private var categories
  @SelectNamesake private var namesake: Animal?
  private let sheet: Presented<AnimalsLocal.Sheet>
  /// The animal as it was when the editor was opened; `nil` for a new one.
  private let editedId: Animal.ID?
  private let seenAnimal: Animal?
  private let typedName: String?
  /// The category that a new animal starts with.
  private let categoryId: Category.ID?

  /// - Returns: `nil` if no editor is open.
  init?(_ local: AnimalsLocal) {
    guard local.isEditing || local.sheet.value == .add else { return nil }
    let animalId = local.isEditing ? local.selectedAnimalId : nil
    self.editedId = animalId
    self._animal = SelectAnimal(animalId: animalId)
    self._status = SelectAnimalStatus(animalId: animalId)
    self._namesake = SelectNamesake(name: local.typedName ?? "", except: animalId)
    self.typedName = local.typedName
    self.sheet = local.sheet
    self.seenAnimal = local.seenAnimal
    self.categoryId = local.isEditing ? nil : local.selectedCategoryId
  }

  /// The initial values of the fields; `nil` for a new animal.
  private var shown: Animal? { self.animal ?? self.seenAnimal }

  private var isWaiting: Bool { self.sheet.isWaiting || self.status == .waiting }

  private var isDeleted: Bool {
    self.editedId != nil && self.animal == nil && self.animalsStatus == .success
  }

  /// The animal to change; `nil` if one is added. An animal that is not known to be deleted is not
  /// added again.
  private var changedId: Animal.ID? { self.isDeleted ? nil : self.editedId }

  /// The change of a part by others since the editor was opened; `nil` if there is none.
  private func change<Part: Equatable>(_ part: KeyPath<Animal, Part>) -> Part? {
    self.animal.flatMap {
      EditedValue(now: $0, was: self.seenAnimal, isSeen: true).change(of: part)
    }
  }

  private func categoryName(_ categoryId: Category.ID) -> String {
    self.categories.first { $0.id == categoryId }?.name ?? categoryId
  }

  private var changeSentence: String? {
    Self.sentence(
      name: self.change(\.name),
      category: self.change(\.categoryId).map(self.categoryName),
      diet: self.change(\.diet)
    )
  }

  private var nameWarning: String? {
    guard let namesake = self.namesake, self.typedName != self.animal?.name else {
      return nil
    }
    return Self.warning(of: namesake, in: self.categoryName(namesake.categoryId))
  }

  private var categoryOptions: [FieldOption] {
    self.categories.map { FieldOption($0.id, $0.name) }
  }

  static let template = Template<Self>([
    .text("title") { $0.changedId == nil ? "Add animal" : "Edit animal" },
    .form("save", AnimalEditor.save, closing: \AnimalsLocal.sheet),
    .field("animalId", AnimalEditor.animalId) { $0.changedId },
    .field("seen", AnimalEditor.seen) { $0.animal },
    .field("was", AnimalEditor.was) { $0.changedId == nil ? nil : $0.seenAnimal },
    .field("name", AnimalEditor.name) { $0.shown?.name },
    .field("category", AnimalEditor.category, options: \.categoryOptions) {
      $0.shown?.categoryId ?? $0.categoryId
    },
    .field("diet", AnimalEditor.diet) { $0.shown?.diet },
    .field("nameSide", AnimalEditor.nameSide),
    .field("categorySide", AnimalEditor.categorySide),
    .field("dietSide", AnimalEditor.dietSide),
    .field("anyway", AnimalEditor.anyway),
    .flag("isWaiting") { $0.isWaiting },
    .flag("isSaving") { $0.sheet.isWaiting },
    .flag("isDeleted") { $0.isDeleted && $0.isWaiting == false },
    .optionalText("change") { $0.changeSentence },
    .optionalText("newName") { $0.change(\.name) },
    .optionalText("newCategory") { $0.change(\.categoryId).map($0.categoryName) },
    .optionalText("newDiet") { $0.change(\.diet)?.rawValue },
    .optionalText("nameWarning") { $0.nameWarning },
    .optionalText("failure") { $0.sheet.failure },
    .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
  ])
}

// Its fields.
extension AnimalEditor {
  /// The existing animal; none for a new one.
  static let animalId = Field<Animal.ID>.hidden("animalId").optional()
  /// The animal as far as the posting window knows it.
  static let seen = Field<String>.hidden("seen").seenAnimal().optional()
  /// The animal as it was when the editor was opened.
  static let was = Field<String>.hidden("was").seenAnimal().optional()

  static let name = Field<String>.text(
    "name",
    required: "Enter a name.",
    limit: Animal.nameLimit,
    get: { $0 },
    tag: { try AnimalName($0).text }
  )

  static let category = Field<Category.ID>
    .choice("category", prompt: "Select a category", "Select a category.")

  static let diet = Field<Animal.Diet>
    .choice("diet", of: Animal.Diet.allCases, prompt: "Select a diet", "Select a diet.")

  // Which of two changes is kept, if another user has changed the same field.
  static let nameSide = Field<ConflictSide>.side("nameSide")
  static let categorySide = Field<ConflictSide>.side("categorySide")
  static let dietSide = Field<ConflictSide>.side("dietSide")

  /// Whether to save in spite of the warnings.
  static let anyway = Field<String>.choice("anyway", .buttons, of: ["yes"], "Press a button.")
    .optional()

  /// The fields of an existing animal if the form names one, otherwise of a new one.
  static let save = Form<AnimalsAction>(
    "save",
    fields: .submission, Self.animalId, Self.seen, Self.was, Self.name, Self.category,
    Self.diet, Self.nameSide, Self.categorySide, Self.dietSide, Self.anyway
  ) { submission, animalId, _, was, name, categoryId, diet, nameSide, categorySide, dietSide, _ in
    guard let animalId else {
      return .ui(
        .animalEditor(
          .onTapAddAnimalButton(id: submission, name: name, diet: diet, categoryId: categoryId)))
    }
    let changes = Animal.Changes(
      name: nameSide.kept(name, was: was?.name),
      diet: dietSide.kept(diet, was: was?.diet),
      categoryId: categorySide.kept(categoryId, was: was?.categoryId)
    )
    return .ui(.animalEditor(.onTapSaveChangesButton(animalId: animalId, changes: changes)))
  }
}
