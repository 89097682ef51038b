import HashTreeCollections
import Testing

@testable import AnimalsData

struct AnimalsStateTests {
  @Test func `categories are sorted by name`() {
    let state = AnimalsState(
      categories: AnimalsState.Categories(
        data: ["Mammal": .mammal, "Bird": .bird, "Fish": .fish]
      ),
      animals: AnimalsState.Animals()
    )

    let categories = AnimalsState.selectCategoriesValues(sort: \Category.name)(state)

    #expect(categories == [.bird, .fish, .mammal])
  }
}
