import HTTPTypes
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// A browser's session, as read from a request.
struct Session: Sendable {
  let id: Identifier
  /// Whether the request had no session of this boot.
  let isNew: Bool
  let visitor: Visitor
}

/// Distinguishes browsers. A session protects a browser's windows and the answers to its
/// submissions.
/// It holds nothing else, so it lives in its cookie and lasts as long as the key: for one boot, or for as
/// long as servers share it.
struct Sessions: Sendable {
  static let cookie = "session"

  private let key: SessionKey

  init(_ key: SessionKey = SessionKey(nil)) {
    self.key = key
  }

  /// The session of a request, or a new one if the request has none of this boot.
  func session(of request: HTTPRequest) -> Session {
    for value in request.cookies(Self.cookie) {
      if let id = self.key.verify(value) {
        return Session(id: id, isNew: false, visitor: self.key.visitor(of: id))
      }
    }
    let id = Identifier()
    return Session(id: id, isNew: true, visitor: self.key.visitor(of: id))
  }

  /// - Parameter isSecure: Whether the browser uses https. The cookie is then sent only over https.
  func setCookie(_ session: Identifier, isSecure: Bool) -> String {
    "\(Self.cookie)=\(self.key.sign(session)); Path=/; HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }
}
