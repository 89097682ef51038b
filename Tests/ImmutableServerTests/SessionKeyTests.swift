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

  @Test func `a visitor is no part of the cookie`() {
    let key = SessionKey(self.bytes)

    let visitor = key.visitor(of: self.session)

    #expect(key.sign(self.session).contains(visitor.rawValue) == false)
    #expect(key.verify("\(self.session.text).\(visitor.rawValue)") == nil)
  }
}
