import Foundation
import ImmutableData

extension Entry {
  /// In JSON, about so many bytes are not too long to be shown.
  private static let jsonLimit = 20_000

  /// Whether the action can be written as JSON that is not too long.
  var isJSON: Bool { self.bytes < Self.jsonLimit && self.dispatch.action is any Encodable }

  /// The action as JSON; `nil` if it cannot be written so, or would be long.
  var json: String? {
    guard self.isJSON, let action = self.dispatch.action as? any Encodable else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(action)).map { String(decoding: $0, as: UTF8.self) }
  }
}
