import AnimalsData
import ImmutableUI
import PlainText

/// The selected animal.
///
/// Source: the guide, chapter AnimalsUI, section AnimalDetail.
struct AnimalDetail: Presenter, Hashable {
  @SelectAnimal private var animal: Animal?
  @SelectCategory private var category: Category?
  @SelectAnimalStatus private var status: Status?
  @ImmutableUI.Selector(outputSelector: AnimalsState.selectNoPictures()) private var noPictures
  @SelectFailedChange private var newestFailure: FailedChange?

  init(selectedAnimalId: Animal.ID?) {
    self._animal = SelectAnimal(animalId: selectedAnimalId)
    self._category = SelectCategory(animalId: selectedAnimalId)
    self._status = SelectAnimalStatus(animalId: selectedAnimalId)
  }

  private var failedChange: FailedChange? {
    self.newestFailure.flatMap { $0.animalId == self.animal?.id ? $0 : nil }
  }

  /// The key of a form. Each animal has its own, because the browser shows in a form what happens
  /// to its post, such as the progress of an upload.
  private func key(_ form: String) -> String {
    "\(form) \(self.animal?.id ?? "")"
  }

  static let template = Template<Self>([
    .optional(
      "animal",
      [
        .text("name") { $0.name },
        .text("isolatedName") { $0.name.isolated },
        .text("categoryId") { $0.categoryId },
        .text("diet") { $0.diet.rawValue },
        .field("star", RowAction.field, options: { RowAction.star(of: $0) }),
        .flag("isFavorite") { $0.isFavorite },
        .link("edit", AnimalsLocal.self) { $0.edit($1) },
        .optional(
          "picture",
          [
            .link("enlarge", AnimalsLocal.self) { local, _ in local.sheet.value = .picture },
            .text("url") { $0.url(.detail) },
            .text("width") { $0.fitted(.detail).width },
            .text("height") { $0.fitted(.detail).height },
          ]
        ) { $0.picture },
      ]
    ) { $0.animal },
    .optionalText("category") { $0.category?.name },
    .form("mark", AnimalDetail.mark) { ["data-key": $0.key("mark"), "class": "marks"] },
    .form("delete", AnimalDetail.delete) { ["data-key": $0.key("delete")] },
    .form("setPicture", AnimalDetail.setPicture) {
      ["data-key": $0.key("setPicture"), "data-upload": ""]
    },
    .form("removePicture", AnimalDetail.removePicture) { ["data-key": $0.key("removePicture")] },
    .field("animalId", AnimalDetail.animalId) { $0.animal?.id },
    .field("file", AnimalDetail.picture),
    .optionalText("noPictures") { $0.noPictures },
    .optionalText("failedChange") { $0.failedChange?.sentence },
    .form("dismiss", AnimalList.onTapDismissFailureButton),
    .flag("isWaiting") { $0.status == .waiting },
    .link("back", AnimalsLocal.self) { local, _ in local.select(animal: nil) },
  ])

  private static let mark = Form<AnimalsAction>(
    "markInDetail",
    .repeatable,
    fields: RowAction.field
  ) { action in
    guard case .mark(let animalId, let isFavorite) = action else {
      throw Refusal(field: RowAction.field.name, "Press the star.")
    }
    return .ui(.animalDetail(.onTapFavoriteButton(animalId: animalId, isFavorite: isFavorite)))
  }

  private static let animalId = Field<Animal.ID>.hidden("animalId", "Choose an animal.")

  /// It needs no confirmation, since a toast can undo it.
  private static let delete = Form<AnimalsAction>("deleteInDetail", fields: Self.animalId) {
    .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: $0)))
  }

  private static let picture = Field.picture("picture", "Choose a picture.")

  private static let setPicture = Form<AnimalsAction>(
    "setPicture",
    fields: Self.animalId, Self.picture
  ) { animalId, picture in
    .ui(.animalDetail(.onChoosePicture(animalId: animalId, picture: picture)))
  }

  private static let removePicture = Form<AnimalsAction>("removePicture", fields: Self.animalId) {
    .ui(.animalDetail(.onChoosePicture(animalId: $0, picture: nil)))
  }
}
