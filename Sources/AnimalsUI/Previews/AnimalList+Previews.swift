import AnimalsData
import ImmutableUI

extension AnimalList: Previewed {
  static let surroundings = Surroundings.pane

  static var previews: [Preview<Self>] {
    [
      Preview("Unknown category", in: .sample, AnimalList.init) {
        $0.selectedCategoryId = "Unknown"
      },
      Preview("A category", in: .sample, AnimalList.init) { $0.selectedCategoryId = "Mammal" },
      Preview("A category without animals", in: .sample, AnimalList.init) {
        $0.selectedCategoryId = "Fish"
      },
      Preview("All", in: .starred, AnimalList.init) { $0.showsAll = true },
      Preview("No animals", in: .empty, AnimalList.init) { $0.showsAll = true },
      Preview("Found", in: .sample, AnimalList.init) {
        $0.showsAll = true
        $0.searchText = "o"
      },
      Preview("Nothing found", in: .sample, AnimalList.init) {
        $0.showsAll = true
        $0.searchText = "unicorn"
      },
      Preview("Favorites", in: .starred, AnimalList.init) { $0.showsFavorites = true },
      Preview("No favorites", in: .sample, AnimalList.init) { $0.showsFavorites = true },
      Preview("My order", in: .sample, AnimalList.init) {
        $0.selectedCategoryId = "Mammal"
        $0.order = .own
      },
      Preview("One is being saved", in: .saving, AnimalList.init) {
        $0.selectedCategoryId = "Mammal"
      },
      Preview("Star not saved", in: .unmarked, AnimalList.init) {
        $0.selectedCategoryId = "Mammal"
      },
      Preview("A picture", in: .pictured, AnimalList.init) {
        $0.selectedCategoryId = "Mammal"
      },
      Preview("Long names", in: .longNames, AnimalList.init) { $0.showsAll = true },
      Preview("Many animals", in: .many, AnimalList.init) { $0.showsAll = true },
      Preview("Waiting", in: .waiting, AnimalList.init) { $0.showsAll = true },
      Preview("Failed", in: .failed, AnimalList.init) { $0.showsAll = true },
    ]
  }
}
