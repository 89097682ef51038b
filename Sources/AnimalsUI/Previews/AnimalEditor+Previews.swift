import AnimalsData
import ImmutableUI

extension AnimalEditor: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("New", in: .sample, AnimalEditor.init) { $0.sheet.value = .add },
      Preview("New, of the category that shows", in: .sample, AnimalEditor.init) {
        $0.selectedCategoryId = "Bird"
        $0.sheet.value = .add
      },
      Preview("An animal", in: .sample, AnimalEditor.init) { $0.edit(.dog) },
      Preview("Name that is taken", in: .sample, AnimalEditor.init) {
        $0.edit(.dog)
        $0.typedName = "Cat"
      },
      Preview("Changed elsewhere", in: .changed, AnimalEditor.init) { $0.edit(.dog) },
      Preview("Deleted elsewhere", in: .withoutDog, AnimalEditor.init) { $0.edit(.dog) },
      Preview("Saving", in: .sample, AnimalEditor.init) {
        $0.edit(.dog)
        $0.sheet = .waiting(.edit)
      },
      Preview("Not saved", in: .sample, AnimalEditor.init) {
        $0.edit(.dog)
        $0.sheet = .failed(.edit, "The disk is full.")
      },
    ]
  }
}

extension AnimalsLocal {
  fileprivate mutating func edit(_ animal: Animal) {
    self.selectedAnimalId = animal.id
    self.sheet.value = .edit
    self.seenAnimal = animal.seen
  }
}
