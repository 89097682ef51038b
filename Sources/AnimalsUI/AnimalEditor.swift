import AnimalsData
import HTMLTemplates
import ImmutableUI

/// A form for a new animal, or for one that is there. It stays until the animal is saved.
///
/// Source: the guide, chapter AnimalsUI, section AnimalEditor.
struct AnimalEditor: Component, Hashable {
  /// The animal that is edited; `nil` for a new one.
  private let animalId: Animal.ID?
  /// The category that a new animal starts with.
  private let categoryId: Category.ID?
  private let fingerprint: String?
  private let seenAnimal: SeenAnimal?
  private let isSaving: Bool
  private let failure: String?

  /// - Returns: `nil` when no editor is open.
  init?(_ local: AnimalsLocal) {
    switch local.sheet.value {
    case .add:
      self.animalId = nil
      self.categoryId = local.selectedCategoryId
      self.fingerprint = nil
    case .edit(let fingerprint):
      self.animalId = local.selectedAnimalId
      self.categoryId = nil
      self.fingerprint = fingerprint
    case .delete, .reload, nil:
      return nil
    }
    self.seenAnimal = local.seenAnimal
    self.isSaving = local.sheet.isWaiting
    self.failure = local.sheet.failure
  }

  var body: some Component {
    Container(
      animalId: self.animalId,
      categoryId: self.categoryId,
      fingerprint: self.fingerprint,
      seenAnimal: self.seenAnimal,
      isSaving: self.isSaving,
      failure: self.failure
    )
  }
}

extension AnimalEditor {
  private struct Container: Component {
    @SelectAnimal private var animal: Animal?
    @SelectAnimalStatus private var status: Status?
    @SelectAnimalsStatus private var animalsStatus
    @SelectCategoriesValues private var categories
    private let isEditing: Bool
    private let categoryId: Category.ID?
    private let fingerprint: String?
    private let seenAnimal: SeenAnimal?
    private let isSaving: Bool
    private let failure: String?

    init(
      animalId: Animal.ID?,
      categoryId: Category.ID?,
      fingerprint: String?,
      seenAnimal: SeenAnimal?,
      isSaving: Bool,
      failure: String?
    ) {
      self._animal = SelectAnimal(animalId: animalId)
      self._status = SelectAnimalStatus(animalId: animalId)
      self.isEditing = animalId != nil
      self.categoryId = categoryId
      self.fingerprint = fingerprint
      self.seenAnimal = seenAnimal
      self.isSaving = isSaving
      self.failure = failure
    }

    var body: some Component {
      Presenter(
        animal: self.animal,
        shown: self.animal.map(Shown.init) ?? self.seenAnimal.map(Shown.init),
        status: self.status,
        isSaving: self.isSaving,
        failure: self.failure,
        categories: self.categories,
        categoryId: self.categoryId,
        isDeleted: self.isEditing && self.animal == nil && self.animalsStatus == .success,
        isChanged: self.fingerprint != nil && self.animal != nil
          && self.animal?.fingerprint != self.fingerprint
      )
    }
  }

  /// What the fields start with.
  private struct Shown: Sendable {
    let name: String
    let diet: Animal.Diet
    let categoryId: Category.ID

    init(_ animal: Animal) {
      self.name = animal.name
      self.diet = animal.diet
      self.categoryId = animal.categoryId
    }

    init(_ animal: SeenAnimal) {
      self.name = animal.name
      self.diet = animal.diet
      self.categoryId = animal.categoryId
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let animal: Animal?
    /// `nil` for a new animal.
    let shown: Shown?
    let status: Status?
    let isSaving: Bool
    let failure: String?
    let categories: [Category]
    let categoryId: Category.ID?
    /// Whether the animal that is edited has gone.
    let isDeleted: Bool
    /// Whether the animal is not what it was as the editor was opened.
    let isChanged: Bool

    var categoryOptions: [FieldOption] {
      self.categories.map { FieldOption($0.id, $0.name) }
    }

    var isWaiting: Bool {
      self.isSaving || self.status == .waiting
    }

    static let template = Template<Self>([
      .text("title") { $0.animal == nil ? "Add Animal" : "Edit Animal" },
      .form("save", AnimalEditor.onTapSaveButton, closing: \AnimalsLocal.sheet),
      .field("animalId", AnimalEditor.animalId) { $0.animal?.id },
      .field("fingerprint", AnimalEditor.fingerprint) { $0.animal?.fingerprint },
      .field("name", AnimalEditor.name) { $0.shown?.name },
      .field("category", AnimalEditor.category, options: \.categoryOptions) {
        $0.shown?.categoryId ?? $0.categoryId
      },
      .field("diet", AnimalEditor.diet) { $0.shown?.diet },
      .flag("isWaiting") { $0.isWaiting },
      .flag("isSaving") { $0.isSaving },
      .flag("isDeleted") { $0.isDeleted && $0.isWaiting == false },
      .optional(
        "change",
        [
          .text("name") { $0.name },
          .text("diet") { $0.diet.rawValue },
          .text("categoryId") { $0.categoryId },
        ]
      ) { $0.isChanged ? $0.animal : nil },
      .optional("failure", [.text("error") { $0 }]) { $0.failure },
      .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
    ])
  }
}

extension AnimalEditor {
  /// Refuses to save over a change that whoever posts has not seen, as happens without JavaScript.
  static func check(_ fields: FormFields, _ state: AnimalsState) throws {
    guard fields.isOf(Self.onTapSaveButton), let seen = fields[Self.fingerprint] ?? nil,
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

  private static let category = Field<Category.ID>.choice(
    "category",
    prompt: "Select a category",
    "Select a category."
  )

  private static let diet = Field<Animal.Diet>.choice(
    "diet",
    of: Animal.Diet.allCases,
    prompt: "Select a diet",
    "Select a diet."
  )

  /// Of an animal that is there if the form names one, else of a new one.
  private static let onTapSaveButton = Form<AnimalsAction>(
    "save",
    fields: .submission, Self.animalId, Self.fingerprint, Self.name, Self.category, Self.diet
  ) { submission, animalId, _, name, categoryId, diet in
    guard let animalId else {
      return .ui(
        .animalEditor(
          .onTapAddAnimalButton(id: submission, name: name, diet: diet, categoryId: categoryId)
        )
      )
    }
    return .ui(
      .animalEditor(
        .onTapUpdateAnimalButton(
          animalId: animalId,
          name: name,
          diet: diet,
          categoryId: categoryId
        )
      )
    )
  }
}
