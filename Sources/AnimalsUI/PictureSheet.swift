import AnimalsData
import ImmutableUI
import PlainText

/// The picture of the selected animal, as large as the window allows. It closes once the picture is
/// removed.
struct PictureSheet: Presenter, Hashable {
  @SelectAnimal private var animal: Animal?

  /// - Returns: `nil` if it is not open.
  init?(_ local: AnimalsLocal) {
    guard local.sheet.value == .picture else { return nil }
    self._animal = SelectAnimal(animalId: local.selectedAnimalId)
  }

  static let template = Template<Self>([
    .text("name") { $0.animal?.name ?? "" },
    .text("isolatedName") { $0.animal?.name.isolated ?? "" },
    .optional(
      "picture",
      [
        .text("url") { $0.url },
        .text("width") { $0.width },
        .text("height") { $0.height },
      ]
    ) { $0.animal?.picture },
    .link("close", AnimalsLocal.self) { local, _ in local.dismiss() },
  ])
}
