import Foundation
import ImmutableData
import ImmutableUI
import PlainText

extension Entry {
  /// The maximum length of JSON that is shown, in bytes, approximately.
  private static let jsonLimit = 20_000

  /// Whether the action can be written as JSON that is short enough.
  var isJSON: Bool { self.bytes < Self.jsonLimit && self.dispatch.action is any Encodable }

  /// The action as JSON, in which nothing hides or reorders other characters; `nil` if it cannot be
  /// written as JSON, or would be too long.
  var json: String? {
    guard self.isJSON, let action = self.dispatch.action as? any Encodable else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(action)).map { json in
      String(decoding: json, as: UTF8.self).parts(between: "\n").map(\.jsonInOneLine)
        .joined(separator: "\n")
    }
  }
}
