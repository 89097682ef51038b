import Foundation
import Testing

@testable import DeveloperTools

struct JSONValueTests {
  @Test(arguments: [
    "null", "true", "-7", "9223372036854775807", "18446744073709551615", "0.1", "-150.25",
    "0.1234567890123456789012345678", "100000000000000000000000000001", "[1,{\"a\":2.5}]",
  ])
  func `a value survives a round trip with all its digits`(text: String) throws {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))

    #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
  }

  @Test(arguments: [1e300, -1e-130, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3, 0.1])
  func `a double stays the same double`(number: Double) throws {
    let text = try JSONEncoder().encode([number])

    let value = try JSONDecoder().decode(JSONValue.self, from: text)

    #expect(value == .array([.number(number)]))
    #expect(try JSONDecoder().decode([Double].self, from: JSONEncoder().encode(value)) == [number])
  }
}
