import AnimalsData
import ImmutableUI

extension AnimalDetail: Previewed {
  static let surroundings = Surroundings.pane

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing selected", in: .sample) { AnimalDetail(selectedAnimalId: nil) },
      Preview("Selected", in: .sample) { AnimalDetail(selectedAnimalId: "Dog") },
      Preview("A favorite", in: .starred) { AnimalDetail(selectedAnimalId: "Dog") },
      Preview("Being saved", in: .saving) { AnimalDetail(selectedAnimalId: "Dog") },
      Preview("Star not saved", in: .unmarked) { AnimalDetail(selectedAnimalId: "Dog") },
      Preview("A picture", in: .pictured) { AnimalDetail(selectedAnimalId: "Dog") },
      Preview("Long name", in: .longNames) { AnimalDetail(selectedAnimalId: "Long") },
      Preview("Long word", in: .longNames) { AnimalDetail(selectedAnimalId: "Word") },
    ]
  }
}
