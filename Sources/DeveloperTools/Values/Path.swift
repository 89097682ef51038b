import ImmutableUI

/// Labels that lead to a part of a value, written as a JSON Pointer (RFC 6901):
/// `/animals/table/dog`.
struct Path: LosslessStringConvertible, Hashable, Sendable {
  var labels: [String] = []

  init() {}

  init?(_ text: String) {
    let parts = text.parts(between: "/")
    guard parts.count > 1, parts[0].isEmpty else { return nil }
    self.labels = parts.dropFirst().map {
      $0.replacingBytes("~1", with: "/").replacingBytes("~0", with: "~")
    }
  }

  var description: String {
    self.labels.map { "/" + Self.escape($0) }.joined()
  }

  /// Digests use this for each part that an action has changed, and hardly any label has to be
  /// escaped.
  private static func escape(_ label: String) -> String {
    let isEscaped = label.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
    return isEscaped
      ? label.replacingBytes("~", with: "~0").replacingBytes("/", with: "~1") : label
  }

  func appending(_ label: String) -> Self {
    var path = self
    path.labels.append(label)
    return path
  }
}
