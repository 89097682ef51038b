import Foundation
import ImmutableData
import ImmutableRuntime
import Testing

@testable import ImmutableServer

struct SessionKeyTests {
  private let bytes = (0..<16).map { UInt8($0) }
  private let session = Identifier()

  @Test func `a visitor is the same for each server with the key, and another for each session`() {
    let visitor = SessionKey(self.bytes).visitor(of: self.session)

    #expect(SessionKey(self.bytes).visitor(of: self.session) == visitor)
    #expect(SessionKey(self.bytes).visitor(of: Identifier()) != visitor)
    #expect(SessionKey(nil).visitor(of: self.session) != visitor)
  }

  @Test func `a key that cannot be kept stops the start with a sentence`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("no folder".utf8).write(to: file)
    let url = file.appending(path: "session.key")
    var configuration = WebServerConfiguration()

    let error = #expect(throws: StartError.self) { try configuration.keepSessions(in: url) }

    #expect(error?.code == .unusableSessionKey)
    #expect(error?.description.hasPrefix("The session key \(url.path) cannot be kept: ") == true)
    #expect(configuration.sessionKey == nil)
  }

  @Test func `a file that cannot be written keeps its key`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "session.key")
    try Data(self.bytes).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
    var configuration = WebServerConfiguration()

    try configuration.keepSessions(in: url)

    #expect(configuration.sessionKey == self.bytes)
  }

  @Test func `the first start makes a file that only its owner can read`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "session.key")
    var (first, second) = (WebServerConfiguration(), WebServerConfiguration())

    try first.keepSessions(in: url)
    try second.keepSessions(in: url)

    let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
    #expect(first.sessionKey == second.sessionKey)
    #expect(first.sessionKey?.count == 16)
    #expect(permissions as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["session.key"])
  }

  @Test(arguments: [0, 7, 17]) func `a file of another size is no key`(count: Int) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(count: count).write(to: url)
    var configuration = WebServerConfiguration()

    let error = #expect(throws: StartError.self) { try configuration.keepSessions(in: url) }

    #expect(error?.code == .unusableSessionKey)
    #expect(try Data(contentsOf: url) == Data(count: count))
  }

  @Test func `a visitor is no part of the cookie`() {
    let key = SessionKey(self.bytes)

    let visitor = key.visitor(of: self.session)

    #expect(key.sign(self.session).contains(visitor.rawValue) == false)
    #expect(key.verify("\(self.session.text).\(visitor.rawValue)") == nil)
  }
}
