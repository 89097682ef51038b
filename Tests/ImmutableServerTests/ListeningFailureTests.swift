import Foundation
import HTTPConnections
import NIOCore
import Testing

struct ListeningFailureTests {
  private func sentence(_ code: CInt, port: Int) -> String? {
    let error = IOError(errnoCode: code, reason: "bind")
    return ListeningFailure(error, host: "127.0.0.1", port: port)?.sentence
  }

  @Test(arguments: [EACCES, EPERM])
  func `only a port below 1024 needs more rights`(code: CInt) {
    #expect(self.sentence(code, port: 443)?.contains("Choose one from 1024 on") == true)
    #expect(
      self.sentence(code, port: 8_080)
        == "This program may not listen at 127.0.0.1:8080. Allow it, or choose another address.")
  }

  @Test func `an error that is not about the address has no sentence`() {
    #expect(self.sentence(ECONNRESET, port: 8_080) == nil)
  }
}
