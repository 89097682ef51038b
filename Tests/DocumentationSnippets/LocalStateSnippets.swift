import AnimalsData
import AnimalsUI
import HTMLTemplates
public import ImmutableUI

// docs/PRODUCTS.md, *Local state, forms and sheets*, with what its editor stands for.

public struct AnimalsLocal: LocalState {
  var selectedCategoryId: Category.ID?
  var selectedAnimalId: Animal.ID?
  var sheet = Presented<Sheet>()

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("category", \.selectedCategoryId),
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet),
  ]
}

enum Sheet: String, Sendable {
  case add
  case edit
}

struct AnimalEditor: Presenter {
  let shown: Animal?
  let sheet: Presented<Sheet>

  static let template = Template<Self>([
    .link("add", AnimalsLocal.self) { local, _ in local.sheet.value = .add },
    .form("save", AnimalEditor.save, closing: \AnimalsLocal.sheet),
    .field("name", AnimalEditor.name) { $0.shown?.name },
    .link("cancel", AnimalsLocal.self) { local, _ in local.sheet.value = nil },
    .flag("isSaving") { $0.sheet.isWaiting },
    .optional("failure", [.text("error") { $0 }]) { $0.sheet.failure },
  ])

  static let name = Field<String>.text("name", required: "Enter a name.")

  static let save = Form<AnimalsAction>("save", fields: .submission, name) { submission, name in
    .ui(
      .animalEditor(
        .onTapAddAnimalButton(id: submission, name: name, diet: .herbivorous, categoryId: "Mammal"))
    )
  }
}
