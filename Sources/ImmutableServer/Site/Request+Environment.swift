import Foundation
import HTTPTypes
import Hummingbird
import ImmutableUI

extension Request {
  /// The cookie in which our module keeps the browser's time zone.
  private static let timeZone = "zone"

  /// The window's environment as the browser reports it: its time zone, if the server knows that
  /// zone.
  var environment: WindowEnvironment {
    let zone = self.head.cookie(Self.timeZone)?.removingPercentEncoding
    return WindowEnvironment(timeZone: zone.flatMap(TimeZone.init(reported:)) ?? .current)
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
