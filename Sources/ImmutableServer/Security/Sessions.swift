import HTTPTypes
import ImmutableUI

/// Tells browsers apart. A session guards the windows of a browser and the answers to its
/// submissions; it holds nothing else, so it lives in its cookie and for one boot.
struct Sessions: Sendable {
  static let cookie = "session"

  private let key: SessionKey

  init() {
    self.key = SessionKey()
  }

  /// The session of a request, or a new one if it has none of this boot.
  func session(of request: HTTPRequest) -> (session: Identifier, isNew: Bool) {
    for value in request.cookies(Self.cookie) {
      if let session = self.key.verify(value) {
        return (session, false)
      }
    }
    return (Identifier(), true)
  }

  func setCookie(_ session: Identifier) -> String {
    "\(Self.cookie)=\(self.key.sign(session)); Path=/; HttpOnly; SameSite=Lax"
  }
}
