import AnimalsData
import HTMLTemplates
import ImmutableUI

/// Asks before an animal is deleted, and stays until it is.
///
/// Source: the guide, chapter AnimalsUI, sections AnimalDetail and AnimalList.
struct DeleteAlert: Presenter, Hashable {
  @SelectAnimal private var animal: Animal?
  @SelectAnimalStatus private var status: Status?
  private let isSelected: Bool
  private let sheet: Presented<Sheet>

  /// - Returns: `nil` when nobody is to be asked.
  init?(_ local: AnimalsLocal) {
    guard case .delete(let animalId) = local.sheet.value else { return nil }
    self._animal = SelectAnimal(animalId: animalId)
    self._status = SelectAnimalStatus(animalId: animalId)
    self.isSelected = animalId == local.selectedAnimalId
    self.sheet = local.sheet
  }

  static let template = Template<Self>([
    .optional("animal", [.text("name") { $0.name }]) { $0.animal },
    .flag("isSelected") { $0.isSelected },
    .flag("isWaiting") { $0.sheet.isWaiting || $0.status == .waiting },
    .optional("failure", [.text("error") { $0 }]) { $0.sheet.failure },
    .form("deleteInList", DeleteAlert.deleteInList, closing: \AnimalsLocal.sheet),
    .form("deleteInDetail", DeleteAlert.deleteInDetail, closing: \AnimalsLocal.sheet),
    .field("animalId", DeleteAlert.animalId) { $0.animal?.id },
    .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
  ])
}

extension DeleteAlert {
  private static let animalId = Field<Animal.ID>.hidden("animalId", "Choose an animal to delete.")

  private static let deleteInList = Form<AnimalsAction>("deleteInList", fields: Self.animalId) {
    .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: $0)))
  }

  private static let deleteInDetail = Form<AnimalsAction>("deleteInDetail", fields: Self.animalId) {
    .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: $0)))
  }
}
