import HashTreeCollections
import TestSupport
import Testing

@testable import ImmutableData

/// What is kept by its id.
private struct Animal: Hashable, Identifiable, Sendable {
  let id: String
  let name: String

  static func make(_ id: String, name: String = "") -> Self { Self(id: id, name: name) }

  static let cat = Self.make("Cat")
  static let dog = Self.make("Dog")
  static let newt = Self.make("Newt")
  static let sparrow = Self.make("Sparrow")
}

struct TreeDictionaryIdentifiableTests {
  @Test func `replacing removes old values, adds new ones and updates changed ones`() {
    var dictionary: TreeDictionary<String, Animal> = ["Cat": .cat, "Dog": .dog, "Newt": .newt]

    dictionary.replace(with: [.make("Cat", name: "Lion"), .dog, .sparrow])

    #expect(
      dictionary == ["Cat": .make("Cat", name: "Lion"), "Dog": .dog, "Sparrow": .sparrow]
    )
  }

  @Test func `replacing with nothing empties the dictionary`() {
    var dictionary: TreeDictionary<String, Animal> = ["Cat": .cat, "Dog": .dog]

    dictionary.replace(with: [])

    #expect(dictionary.isEmpty)
  }

  @Test func `the last of several values with one id stays`() {
    var dictionary: TreeDictionary<String, Animal> = ["Cat": .cat]

    dictionary.replace(with: [.make("Cat", name: "Lion"), .make("Cat", name: "Tiger")])

    #expect(dictionary == ["Cat": .make("Cat", name: "Tiger")])
  }

  @Test func `equal values leave the tree as it was`() throws {
    var dictionary: TreeDictionary<String, Animal> = ["Cat": .cat, "Dog": .dog]
    // An index is good only for the tree of which it was taken.
    let index = try #require(dictionary.index(forKey: "Dog"))

    dictionary.replace(with: [.dog, .cat])

    #expect(dictionary[index].value == .dog)
  }

  @Test func `replacing with random values leaves exactly those values`() {
    let seed = UInt64.random(in: .min ... .max)
    print("TreeDictionaryIdentifiableTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)
    var dictionary: TreeDictionary<String, Animal> = [:]

    for _ in 0..<300 {
      var expected: [String: Animal] = [:]
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        let id = "\(Int.random(in: 0..<80, using: &generator))"
        expected[id] = .make(id, name: "\(Int.random(in: 0..<3, using: &generator))")
      }
      let older = dictionary
      let olderValues = Dictionary(uniqueKeysWithValues: older.map { ($0.key, $0.value) })

      dictionary.replace(with: expected.values.shuffled(using: &generator))

      #expect(
        Dictionary(uniqueKeysWithValues: dictionary.map { ($0.key, $0.value) }) == expected,
        "seed \(seed)"
      )
      #expect(
        Dictionary(uniqueKeysWithValues: older.map { ($0.key, $0.value) }) == olderValues,
        "An older copy has changed; seed \(seed)"
      )
    }
  }

  @Test func `values come in the order of their ids`() {
    let animals: TreeDictionary<String, Animal> = ["Cat": .cat, "Dog": .dog]

    #expect(animals.values(for: ["Dog", "Newt", "Cat"]) == [.dog, .cat])
  }
}
