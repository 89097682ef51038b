import Testing

@testable import AnimalsData

struct AnimalChangesTests {
  @Test(arguments: [
    (Animal.Changes(), Animal.cat), (Animal.Changes(name: "Owl"), .make(name: "Owl")),
    (
      Animal.Changes(name: "Owl", diet: .omnivorous, categoryId: "Bird"),
      .make(name: "Owl", diet: .omnivorous, categoryId: "Bird")
    ),
  ])
  func `unchanged fields stay`(changes: Animal.Changes, animal: Animal) {
    #expect(Animal.cat.with(changes) == animal)
  }

  @Test(arguments: [
    (Animal.Changes(name: " "), AnimalsReducer.Error.Code.nameNotUsable(.empty)),
    (Animal.Changes(categoryId: "Plant"), .categoryNotFound), (Animal.Changes(), nil),
    (Animal.Changes(name: "Owl", categoryId: "Bird"), nil),
  ])
  func `changes that cannot be saved are refused`(
    changes: Animal.Changes,
    code: AnimalsReducer.Error.Code?
  ) {
    let action = AnimalsAction.ui(
      .animalEditor(.onTapSaveChangesButton(animalId: "Cat", changes: changes)))

    var refusal: AnimalsReducer.Error.Code?
    do {
      _ = try AnimalsReducer.reduceOrRefuse(state: .fetched, action: action)
    } catch {
      refusal = (error as? AnimalsReducer.Error)?.code
    }

    #expect(refusal == code)
  }
}
