import Foundation
import ImmutableData

extension Entry {
  /// The maximum length of JSON that is shown, in bytes, approximately.
  private static let jsonLimit = 20_000

  /// Whether the action can be written as JSON that is short enough.
  var isJSON: Bool { self.bytes < Self.jsonLimit && self.dispatch.action is any Encodable }

  /// The action as JSON; `nil` if it cannot be written as JSON, or would be too long.
  var json: String? {
    guard self.isJSON, let action = self.dispatch.action as? any Encodable else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(action)).map { String(decoding: $0, as: UTF8.self) }
  }
}
