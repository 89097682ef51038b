import Foundation
import Testing

@testable import AnimalsData

struct ActionCodingTests {
  @Test(arguments: ActionKind.allCases)
  func `every action survives an encoding round trip`(kind: ActionKind) throws {
    let action = AnimalsAction.make(kind)
    let written = try JSONEncoder().encode(action)
    #expect(try JSONDecoder().decode(AnimalsAction.self, from: written) == action)
  }

  @Test func `encoded payloads have labels`() throws {
    let action = AnimalsAction.ui(
      .animalList(.onTapFavoriteButton(animalId: "Dog", isFavorite: true)))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(action), as: UTF8.self) == """
        {"ui":{"_0":{"animalList":{"_0":{"onTapFavoriteButton":{"animalId":"Dog","isFavorite":true}}}}}}
        """)
  }
}
