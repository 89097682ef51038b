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

  @Test(arguments: [
    ("magnitude", "1e300"), ("time", "1e300"), ("updated", "-1e300"), ("longitude", "180.1"),
    ("latitude", "-90.1"),
  ])
  func `an earthquake that no feed has is not decoded`(part: String, number: String) {
    let json = Self.json([part: number])

    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Quake.self, from: json) }
  }

  @Test func `a depth or a number of reports that no feed has is unknown`() throws {
    let json = Self.json(["depth": "1e300", "felt": "-1"])

    let quake = try JSONDecoder().decode(Quake.self, from: json)

    #expect(quake.magnitude == 1)
    #expect(quake.depth == nil)
    #expect(quake.felt == nil)
  }

  /// An earthquake with other numbers.
  private static func json(_ numbers: [String: String]) -> Data {
    let usual = [
      "magnitude": "1", "time": "0", "updated": "0", "longitude": "0", "latitude": "0",
    ]
    let members = usual.merging(numbers) { $1 }.map { "\"\($0)\": \($1)" }
    return Data("{\"quakeId\": \"a\", \"name\": \"a\", \(members.joined(separator: ", "))}".utf8)
  }
}
