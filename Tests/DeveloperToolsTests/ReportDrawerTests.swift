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

  @Test func `a report that is sent again is saved once`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawer = try ReportDrawer(folder, Logger(label: "test"))
    let (one, other) = (Self.visitor("192.0.2.1"), Self.visitor("192.0.2.1"))
    let submission = Submission.tag(of: "token", at: "/report")

    for _ in 0..<3 { try await drawer.keep(of: one, submission, at: self.begun) { Data() } }

    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    try await drawer.keep(of: other, submission, at: self.begun) { Data() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    for submission in [nil, Submission.tag(of: "another", at: "/report")] {
      await #expect(throws: Refusal.self) {
        try await drawer.keep(of: one, submission, at: self.begun) { Data() }
      }
    }
  }

  @Test func `only the owner can read the folder`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }

    _ = try ReportDrawer(folder, Logger(label: "test"))

    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a report that cannot be made counts towards the limits`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawer = try ReportDrawer(folder, Logger(label: "test"))
    func fail(_ visitor: ReportPages.Visitor) async -> String? {
      await #expect(throws: Refusal.self) {
        try await drawer.keep(of: visitor, at: self.begun) {
          throw RecordingError("the report is too large")
        }
      }?.message
    }
    let one = Self.visitor("192.0.2.1")

    #expect(await fail(one) == "This report could not be saved. Try again later.")
    #expect(await fail(one)?.contains("Wait a minute") == true)
    for _ in 1..<ReportDrawer.hourlyByNetwork {
      #expect(await fail(Self.visitor("192.0.2.1"))?.contains("could not be saved") == true)
    }
    #expect(await fail(Self.visitor("192.0.2.1"))?.contains("many reports") == true)
  }

  @Test func `no report is made while there is no room for it`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawer = try ReportDrawer(folder, Logger(label: "test"))
    for number in 0..<ReportDrawer.countLimit {
      try Data().write(to: folder.appending(path: "\(number)"))
    }

    let refusal = await #expect(throws: Refusal.self) {
      try await drawer.keep(of: Self.visitor("192.0.2.1"), at: self.begun) {
        throw RecordingError("it was made")
      }
    }

    #expect(refusal?.message.contains("No more reports") == true)
  }

  @Test func `all visitors together may send 60 reports an hour`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawer = try ReportDrawer(folder, Logger(label: "test"))
    for number in 0..<ReportDrawer.hourly {
      try await drawer.keep(of: Self.visitor("192.0.2.\(number)"), at: self.begun) { Data() }
    }

    await #expect(throws: Refusal.self) {
      try await drawer.keep(of: Self.visitor("198.51.100.1"), at: self.begun) { Data() }
    }
    try await drawer.keep(of: Self.visitor("198.51.100.1"), at: self.begun + .seconds(3_601)) {
      Data()
    }
  }

  @Test func `kept reports are limited by their size`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawer = try ReportDrawer(folder, Logger(label: "test"))
    let large = folder.appending(path: "large")
    try Data().write(to: large)
    // Without content, it takes no room on the disk.
    try FileHandle(forWritingTo: large).truncate(atOffset: UInt64(ReportDrawer.byteLimit - 10))

    await #expect(throws: Refusal.self) {
      try await drawer.keep(of: Self.visitor("192.0.2.1"), at: self.begun) { Data(count: 11) }
    }
    try await drawer.keep(of: Self.visitor("192.0.2.1"), at: self.begun) { Data(count: 10) }

    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  private static func visitor(_ network: String) -> ReportPages.Visitor {
    ReportPages.Visitor(
      session: Identifier(), network: network, environment: WindowEnvironment(timeZone: .gmt))
  }
}
