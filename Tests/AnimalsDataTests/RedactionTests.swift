import Foundation
import HashTreeCollections
import ImmutableData
import Testing

@testable import AnimalsData

struct RedactionTests {
  private static let pseudonym = "Somebody"

  /// The names in JSON that are not those of categories.
  private static func names(in value: Any) -> [String] {
    if let list = value as? [Any] { return list.flatMap(Self.names) }
    guard let object = value as? [String: Any] else { return [] }
    let isCategory = Set(object.keys) == ["categoryId", "name"]
    let own = isCategory ? [] : [object["name"] as? String].compactMap(\.self)
    return own + object.values.flatMap(Self.names)
  }

  private static func names(of value: some Encodable) throws -> [String] {
    Self.names(in: try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)))
  }

  @Test(arguments: ActionKind.allCases)
  func `a redacted action contains no animal name`(kind: ActionKind) throws {
    let action = AnimalsAction.make(kind)

    let redacted = action.redacted { _ in Self.pseudonym }

    #expect(ActionKind(of: redacted) == kind)
    #expect(
      try Self.names(of: redacted) == Self.names(of: action).map { _ in Self.pseudonym })
    #expect(action.redacted { $0 } == action)
  }

  @Test func `a redacted position contains nothing of the names that it is between`() {
    func moved(before neighbor: String) -> Animal {
      let upper = Animal(animalId: "U", name: neighbor, diet: .omnivorous, categoryId: "C")
      let animals: TreeDictionary = ["U": upper]
      return Animal.dog.with(.position(animals.position(after: "deleted", before: "U")))
    }
    let animals = [moved(before: "Мурка Иванова"), moved(before: "Жучка Петрова")]

    let redacted = animals.map { animal in
      animal.redacted { String(repeating: "x", count: $0.count) }
    }

    #expect(animals[0].position != animals[1].position)
    #expect(redacted[0].position != nil && redacted[0].position == redacted[1].position)
    #expect(animals.map { $0.redacted { $0 } } == animals)
  }

  @Test func `a redacted state contains no animal name`() throws {
    let animals = [Animal.dog, .cat, .newt]
    let state = AnimalsState(
      categories: .init(),
      animals: .init(data: TreeDictionary(uniqueKeysWithValues: animals.map { ($0.id, $0) }))
    )

    let redacted = state.redacted { _ in Self.pseudonym }

    #expect(try Self.names(of: redacted) == animals.map { _ in Self.pseudonym })
    #expect(redacted.animals.data.keys == state.animals.data.keys)
    #expect(state.redacted { $0 } == state)
  }
}
