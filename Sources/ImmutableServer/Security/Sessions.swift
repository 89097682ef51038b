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
    for cookie in request.headerFields[values: .cookie] {
      for pair in cookie.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmingSpaces == Self.cookie else { continue }
        if let session = self.key.verify(parts[1].trimmingSpaces) {
          return (session, false)
        }
      }
    }
    return (Identifier(), true)
  }

  func setCookie(_ session: Identifier) -> String {
    "\(Self.cookie)=\(self.key.sign(session)); Path=/; HttpOnly; SameSite=Lax"
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    self.drop { $0 == " " }
  }
}
