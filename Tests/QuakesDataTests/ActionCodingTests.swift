import Foundation
import Testing

@testable import QuakesData

struct ActionCodingTests {
  @Test(arguments: ActionKind.allCases)
  func `every action survives an encoding round trip`(kind: ActionKind) throws {
    let action = QuakesAction.make(kind)
    let written = try JSONEncoder().encode(action)
    #expect(try JSONDecoder().decode(QuakesAction.self, from: written) == action)
  }

  @Test func `decoding an earthquake keeps fields that equality ignores`() throws {
    let quake = Quake(
      quakeId: "a", magnitude: -0.3, time: Date(timeIntervalSince1970: 1_518_000_000.123),
      updated: Date(timeIntervalSince1970: 0.1), name: "1 km N of Ö", longitude: 179.999_9,
      latitude: -0.1, depth: 12.5)
    let written = try JSONEncoder().encode(quake)
    let read = try JSONDecoder().decode(Quake.self, from: written)
    #expect(read == quake)
    #expect(read.depth == 12.5)
  }
}
