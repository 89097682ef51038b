import AnimalsData
import HTMLTemplates
import ImmutableUI

/// A form for a new animal, or for one that is there. It stays until the animal is saved.
///
/// Source: the guide, chapter AnimalsUI, section AnimalEditor.
struct AnimalEditor: Presenter, Hashable {
  /// The animal that is edited; `nil` for a new one, or once it has gone.
  @SelectAnimal private var animal: Animal?
  @SelectAnimalStatus private var status: Status?
  @SelectAnimalsStatus private var animalsStatus
  @SelectCategoriesValues private var categories
  private let sheet: Presented<Sheet>
  private let isEditing: Bool
  private let seenAnimal: Animal?
  /// The category that a new animal starts with.
  private let categoryId: Category.ID?

  /// - Returns: `nil` when no editor is open.
  init?(_ local: AnimalsLocal) {
    guard local.isEditing || local.sheet.value == .add else { return nil }
    let animalId = local.isEditing ? local.selectedAnimalId : nil
    self._animal = SelectAnimal(animalId: animalId)
    self._status = SelectAnimalStatus(animalId: animalId)
    self.sheet = local.sheet
    self.isEditing = local.isEditing
    self.seenAnimal = local.seenAnimal
    self.categoryId = local.isEditing ? nil : local.selectedCategoryId
  }

  /// What the fields start with; `nil` for a new animal.
  private var shown: Animal? { self.animal ?? self.seenAnimal }

  private var isWaiting: Bool { self.sheet.isWaiting || self.status == .waiting }

  private var isDeleted: Bool {
    self.isEditing && self.animal == nil && self.animalsStatus == .success
  }

  /// What the animal is now, if it is not what it was as the editor was opened.
  private var change: Animal? {
    guard case .edit(let fingerprint?) = self.sheet.value else { return nil }
    return self.animal?.fingerprint == fingerprint ? nil : self.animal
  }

  private var categoryOptions: [FieldOption] {
    self.categories.map { FieldOption($0.id, $0.name) }
  }

  static let template = Template<Self>([
    .text("title") { $0.animal == nil ? "Add Animal" : "Edit Animal" },
    .form("save", AnimalEditor.save, closing: \AnimalsLocal.sheet),
    .field("animalId", AnimalEditor.animalId) { $0.animal?.id },
    .field("fingerprint", AnimalEditor.fingerprint) { $0.animal?.fingerprint },
    .field("name", AnimalEditor.name) { $0.shown?.name },
    .field("category", AnimalEditor.category, options: \.categoryOptions) {
      $0.shown?.categoryId ?? $0.categoryId
    },
    .field("diet", AnimalEditor.diet) { $0.shown?.diet },
    .flag("isWaiting") { $0.isWaiting },
    .flag("isSaving") { $0.sheet.isWaiting },
    .flag("isDeleted") { $0.isDeleted && $0.isWaiting == false },
    .optional(
      "change",
      [
        .text("name") { $0.name },
        .text("diet") { $0.diet.rawValue },
        .text("categoryId") { $0.categoryId },
      ]
    ) { $0.change },
    .optional("failure", [.text("error") { $0 }]) { $0.sheet.failure },
    .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
  ])
}

extension AnimalEditor {
  /// Refuses to save over a change that whoever posts has not seen, as happens without JavaScript.
  static func check(_ fields: FormFields, _ state: AnimalsState) throws {
    guard fields.isOf(Self.save), let seen = fields[Self.fingerprint] ?? nil,
      let animal = AnimalsState.selectAnimal(animalId: fields[Self.animalId] ?? nil)(state),
      animal.fingerprint != seen
    else { return }
    throw Refusal(
      .conflict,
      "This animal has been changed in another window: it is now \(animal.name) "
        + "(\(animal.categoryId), \(animal.diet.rawValue)). Save again to replace that."
    )
  }

  /// The animal that is there; none for a new one.
  private static let animalId = Field<Animal.ID>.hidden("animalId").optional()
  /// What the animal is as far as the window knows that posts.
  private static let fingerprint = Field<String>.hidden("fingerprint").optional()

  private static let name = Field<String>.text(
    "name",
    required: "Enter a name.",
    limit: Animal.nameLimit,
    get: { $0 },
    tag: { try AnimalName($0).text }
  )

  private static let category = Field<Category.ID>
    .choice("category", prompt: "Select a category", "Select a category.")

  private static let diet = Field<Animal.Diet>
    .choice("diet", of: Animal.Diet.allCases, prompt: "Select a diet", "Select a diet.")

  /// Of an animal that is there if the form names one, else of a new one.
  private static let save = Form<AnimalsAction>(
    "save",
    fields: .submission, Self.animalId, Self.fingerprint, Self.name, Self.category, Self.diet
  ) { submission, animalId, _, name, categoryId, diet in
    let action: AnimalsAction.UI.AnimalEditor =
      if let animalId {
        .onTapUpdateAnimalButton(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
      } else {
        .onTapAddAnimalButton(id: submission, name: name, diet: diet, categoryId: categoryId)
      }
    return .ui(.animalEditor(action))
  }
}
