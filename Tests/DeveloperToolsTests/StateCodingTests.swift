import Foundation
import Testing

@testable import DeveloperTools

/// Four releases: the second names the count, the third gives it a step, and the fourth adds only
/// what is optional.
struct StateCodingTests {
  private struct First: Codable, Equatable {
    var number = 7
  }

  private struct Second: Codable, Equatable {
    var count = 7
  }

  private struct Third: Codable, Equatable {
    var count = 7
    var step = 1
  }

  private struct Fourth: Codable, Equatable {
    var count = 7
    var step = 1
    var name: String?
  }

  private static let upcasters = [
    Upcaster(state: { $0.rename("number", to: "count") }),
    Upcaster(state: { $0["step"] = .integer(1) }),
  ]

  private func coding(_ upcasters: Int) -> StateCoding {
    StateCoding(upcasters: Array(Self.upcasters.prefix(upcasters)))
  }

  @Test func `a release reads what older ones and itself have encoded`() throws {
    let data = try [
      self.coding(0).encode(First()), self.coding(1).encode(Second()),
      self.coding(2).encode(Third()), self.coding(2).encode(Fourth()),
    ]

    for data in data {
      #expect(try self.coding(2).decode(Fourth.self, from: data) == Fourth())
    }
    #expect(try self.coding(1).decode(Second.self, from: data[0]) == Second())
    #expect(try self.coding(2).decode(Third.self, from: data[3]) == Third())
  }

  @Test func `without upcasters it is plain JSON, as before there were any`() throws {
    let data = try self.coding(0).encode(First())

    #expect(String(decoding: data, as: UTF8.self) == #"{"number":7}"#)
    #expect(try self.coding(0).decode(First.self, from: data) == First())
  }

  @Test(arguments: [0, 1]) func `what a newer release has encoded is refused`(upcasters: Int) throws
  {
    let data = try self.coding(2).encode(Third())

    #expect {
      try self.coding(upcasters).decode(First.self, from: data)
    } throws: {
      "\($0)" == "The state is of a newer release. Start that one."
    }
  }

  @Test(arguments: ["", "1", "\n", "1\n", "-1\n{}", "{\"count\":", "x\n{\"count\":7}"])
  func `what is no state is refused`(text: String) {
    #expect(throws: (any Error).self) {
      try self.coding(2).decode(Third.self, from: Data(text.utf8))
    }
  }
}
