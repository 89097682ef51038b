import AnimalsData
import HTMLTemplates
import ImmutableUI

/// Asks before an animal is deleted, and stays until it is.
///
/// Source: the guide, chapter AnimalsUI, sections AnimalDetail and AnimalList.
struct DeleteAlert: Component, Hashable {
  private let animalId: Animal.ID
  private let isSelected: Bool
  private let isDeleting: Bool
  private let failure: String?

  /// - Returns: `nil` when nobody is to be asked.
  init?(_ local: AnimalsLocal) {
    guard case .delete(let animalId) = local.sheet.value else { return nil }
    self.animalId = animalId
    self.isSelected = animalId == local.selectedAnimalId
    self.isDeleting = local.sheet.isWaiting
    self.failure = local.sheet.failure
  }

  var body: some Component {
    Container(
      animalId: self.animalId,
      isSelected: self.isSelected,
      isDeleting: self.isDeleting,
      failure: self.failure
    )
  }
}

extension DeleteAlert {
  private struct Container: Component {
    @SelectAnimal private var animal: Animal?
    @SelectAnimalStatus private var status: Status?
    private let isSelected: Bool
    private let isDeleting: Bool
    private let failure: String?

    init(animalId: Animal.ID, isSelected: Bool, isDeleting: Bool, failure: String?) {
      self._animal = SelectAnimal(animalId: animalId)
      self._status = SelectAnimalStatus(animalId: animalId)
      self.isSelected = isSelected
      self.isDeleting = isDeleting
      self.failure = failure
    }

    var body: some Component {
      Presenter(
        alert: self.animal.map { animal in
          Alert(
            animal: animal,
            isSelected: self.isSelected,
            isWaiting: self.isDeleting || self.status == .waiting,
            error: self.failure
          )
        }
      )
    }
  }

  private struct Alert: Sendable {
    let animal: Animal
    let isSelected: Bool
    let isWaiting: Bool
    let error: String?
  }

  private struct Presenter: ImmutableUI.Presenter {
    let alert: Alert?

    static let template = Template<Self>([
      .optional(
        "alert",
        [
          .text("name") { $0.animal.name },
          .flag("isSelected") { $0.isSelected },
          .flag("isWaiting") { $0.isWaiting },
          .optional("failure", [.text("error") { $0 }]) { $0.error },
          .form("deleteInList", DeleteAlert.onTapDeleteInListButton, closing: \AnimalsLocal.sheet),
          .form(
            "deleteInDetail", DeleteAlert.onTapDeleteInDetailButton, closing: \AnimalsLocal.sheet),
          .field("animalId", DeleteAlert.animalId) { $0.animal.id },
          .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
        ]
      ) { $0.alert }
    ])
  }
}

extension DeleteAlert {
  private static let animalId = Field<Animal.ID>.hidden(
    "animalId",
    "Choose an animal to delete."
  )

  /// Of an animal in the list.
  private static let onTapDeleteInListButton = Form<AnimalsAction>(
    "deleteInList",
    fields: Self.animalId
  ) {
    .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: $0)))
  }

  /// Of the animal that is selected.
  private static let onTapDeleteInDetailButton = Form<AnimalsAction>(
    "deleteInDetail",
    fields: Self.animalId
  ) {
    .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: $0)))
  }
}
