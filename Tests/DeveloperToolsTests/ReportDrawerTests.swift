import Foundation
import ImmutableRuntime
import ImmutableUI
import Logging
import Testing

@testable import DeveloperTools

struct ReportDrawerTests {
  private let begun = ContinuousClock.now

  @Test func `kept reports are limited by rate and number`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawer = try ReportDrawer(folder, Logger(label: "test"))
    let one = Self.visitor("192.0.2.1")
    func reports() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).count
    }

    try await drawer.keep(of: one, at: self.begun) { Data("report".utf8) }
    await #expect(throws: Refusal.self) {
      try await drawer.keep(of: one, at: self.begun + .seconds(59)) { Data() }
    }
    try await drawer.keep(of: one, at: self.begun + .seconds(61)) { Data() }
    for number in 0..<3 {
      try await drawer.keep(of: Self.visitor("192.0.2.1"), at: self.begun + .seconds(62 + number)) {
        Data()
      }
    }
    #expect(try reports() == 5)
    await #expect(throws: Refusal.self) {
      try await drawer.keep(of: Self.visitor("192.0.2.1"), at: self.begun + .seconds(70)) { Data() }
    }
    try await drawer.keep(of: Self.visitor("192.0.2.1"), at: self.begun + .seconds(3_662)) {
      Data()
    }
    #expect(try reports() == 6)
    for number in 6..<ReportDrawer.countLimit {
      try Data().write(to: folder.appending(path: "\(number)"))
    }
    await #expect(throws: Refusal.self) {
      try await drawer.keep(of: Self.visitor("192.0.2.2"), at: self.begun + .seconds(9_000)) {
        Data()
      }
    }
    #expect(try reports() == ReportDrawer.countLimit)
  }

  private static func visitor(_ network: String) -> ReportPages.Visitor {
    ReportPages.Visitor(
      session: Identifier(), network: network, environment: WindowEnvironment(timeZone: .gmt))
  }
}
