import AnimalsData
public import ImmutableUI

extension Content: Previewed {
  public static var previews: [Preview<Self>] {
    [
      Preview("Nothing selected", in: .sample),
      Preview("A category", in: .sample) { $0.selectedCategoryId = "Mammal" },
      Preview("An animal", in: .starred) {
        $0.selectedCategoryId = "Mammal"
        $0.selectedAnimalId = "Dog"
      },
      Preview("An editor", in: .sample) {
        $0.selectedCategoryId = "Mammal"
        $0.selectedAnimalId = "Dog"
        $0.sheet.value = .edit
      },
      Preview("Waiting", in: .waiting) { $0.showsAll = true },
      Preview("Failed", in: .failed) { $0.showsAll = true },
    ]
  }
}
