import Foundation
import HTTPTypes
import Hummingbird
import ImmutableUI

extension Request {
  /// The cookie in which our module keeps the browser's time zone.
  private static let timeZone = "zone"

  /// The window's environment: its visitor, and the time zone that the browser reports, if the server
  /// knows that zone.
  func environment(of session: Session) -> WindowEnvironment {
    let zone = self.head.cookie(Self.timeZone)?.removingPercentEncoding
    return WindowEnvironment(
      timeZone: zone.flatMap(TimeZone.init(reported:)) ?? .current, visitor: session.visitor)
  }
}

extension HTTPRequest {
  /// The values of a cookie. There may be several with the same name, for different paths.
  func cookies(_ name: String) -> some Sequence<Substring> {
    self.headerFields[values: .cookie].lazy
      .flatMap { $0.split(separator: ";") }
      .compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
        return parts[1].drop { $0 == " " }
      }
  }

  func cookie(_ name: String) -> String? {
    self.cookies(name).first { _ in true }.map(String.init)
  }
}
