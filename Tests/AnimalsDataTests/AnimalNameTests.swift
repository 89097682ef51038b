import Testing

@testable import AnimalsData

struct AnimalNameTests {
  @Test(arguments: [
    ("Red kangaroo", "Red kangaroo"), ("  Otter\n", "Otter"), ("e\u{301}", "\u{E9}"),
    ("👩‍👩‍👧", "👩‍👩‍👧"), ("🏴‍☠️", "🏴‍☠️"), ("می‌خواهم", "می‌خواهم"), ("क्‍ष", "क्‍ष"),
    ("  A  b ~ ", "A  b ~"),
    ("  \(String(repeating: "a", count: 200)) ", String(repeating: "a", count: 200)),
    (String(repeating: "ä", count: 200), String(repeating: "ä", count: 200)),
    (String(repeating: "🦓", count: 200), String(repeating: "🦓", count: 200)),
  ])
  func `a name is in NFC without white space around it`(text: String, name: String) throws {
    #expect(Array(try AnimalName(text).text.utf8) == Array(name.utf8))
  }

  @Test(arguments: [
    ("", AnimalName.Problem.empty), ("  ", .empty), (" \n\u{3000}", .empty), ("\u{200B}", .empty),
    ("\u{3164}", .empty), ("\u{2800}", .empty), ("\u{301}", .empty), ("\u{FEFF}", .empty),
    ("a\u{0}b", .hiddenCharacters), ("a\nb", .hiddenCharacters), ("a\u{85}b", .hiddenCharacters),
    ("a\u{7F}", .hiddenCharacters),
    ("\u{202E}ort", .hiddenCharacters), ("a\u{2066}b", .hiddenCharacters),
    ("a\u{2028}b", .hiddenCharacters), ("a\u{E000}b", .hiddenCharacters),
    ("a\u{378}b", .hiddenCharacters), ("a\u{AD}b", .hiddenCharacters),
    ("a\u{200D}", .hiddenCharacters), ("a \u{200C}b", .hiddenCharacters),
    (String(repeating: "a", count: 201), .tooLong),
    ("e" + String(repeating: "\u{301}", count: 5_000), .tooLong),
    ("e" + String(repeating: "\u{301}", count: 100), .tooManyMarks),
    (String(repeating: "👩‍👩‍👧", count: 50), .tooLong),
  ])
  func `unreadable text is not a valid name`(text: String, problem: AnimalName.Problem) {
    #expect(throws: problem) { try AnimalName(text) }
  }

  @Test(arguments: [
    ("a\nb\u{0}c", "a bc"), ("\u{202E}ort", "ort"), ("\u{200B}", "Unnamed"), ("Otter ", "Otter"),
    ("e" + String(repeating: "\u{301}", count: 5_000) + "f", "f"),
    (String(repeating: "ab", count: 200), String(repeating: "ab", count: 100)),
  ])
  func `an invalid stored name is shown as the nearest valid one`(text: String, name: String) {
    #expect(AnimalName.cleaned(text) == name)
    #expect((try? AnimalName(AnimalName.cleaned(text)))?.text == name)
  }

  @Test(arguments: ["", "a\nb", String(repeating: "a", count: 101), "e\u{202E}", "e\u{301}"])
  func `an animal with an unusable id is left out, and the others stay`(id: String) {
    let animals = [
      Animal(animalId: id, name: "A", diet: .omnivorous, categoryId: "Bird"), .dog,
      Animal(animalId: "b", name: "B", diet: .omnivorous, categoryId: id),
    ]

    #expect(animals.compactMap(\.cleaned) == [.dog])
    #expect([Category(categoryId: id, name: "C"), .bird].compactMap(\.cleaned) == [.bird])
  }

  @Test func `the reducer refuses an invalid name`() throws {
    let state = AnimalsState()
    let add: (String, String) -> AnimalsAction = { name, categoryId in
      .ui(
        .animalEditor(
          .onTapAddAnimalButton(id: "1", name: name, diet: .omnivorous, categoryId: categoryId)
        )
      )
    }

    let blank = add("\u{200B}", "Bird")
    #expect { try AnimalsReducer.reduceOrRefuse(state: state, action: blank) } throws: {
      ($0 as? AnimalsReducer.Error)?.code == .nameNotUsable(.empty)
    }
    let long = String(repeating: "a", count: 1_000)
    #expect { try AnimalsReducer.reduceOrRefuse(state: state, action: add("A", long)) } throws: {
      ($0 as? AnimalsReducer.Error)?.code == .categoryNotFound
    }
    _ = try AnimalsReducer.reduceOrRefuse(state: state, action: add("A", "Bird"))
    // The guide's lets them pass.
    _ = try AnimalsReducer.reduce(state: state, action: add("\u{200B}", long))
  }
}
