import Foundation

/// An error in JSON, with its position: `ui._0.save.name: Expected to decode String but …`.
struct DecodingProblem: CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - error: The error of a decoder.
  ///   - json: What it has decoded.
  init(_ error: any Error, in json: Data) {
    self.description =
      switch error as? DecodingError {
      case .typeMismatch(let type, let context) where context.isUnknownCase:
        context.sentence(
          context.unknownCase(in: json).map { "\u{201C}\($0)\u{201D} is no case of \(type)." }
            ?? "This has to be one case of \(type), by its name.")
      case .valueNotFound(_, let context)? where context.debugDescription.contains("null"):
        context.sentence("This must not be null.")
      case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
        .dataCorrupted(let context)?:
        context.sentence(context.debugDescription)
      case .keyNotFound(let key, let context)?:
        context.sentence("There is no \u{201C}\(key.stringValue)\u{201D} here.")
      case .some, nil: "\(error)"
      }
  }
}

extension DecodingError.Context {
  /// Whether an enum has no case with the name. Synthesized conformances speak of keys.
  fileprivate var isUnknownCase: Bool {
    self.debugDescription.hasPrefix("Invalid number of keys found")
  }

  /// The name that no case has; `nil` if there is not exactly one name.
  fileprivate func unknownCase(in json: Data) -> String? {
    var value = try? JSONDecoder().decode(JSONValue.self, from: json)
    for key in self.codingPath {
      if case .array(let values)? = value, let index = key.intValue {
        value = values.indices.contains(index) ? values[index] : nil
      } else {
        value = value?[key.stringValue]
      }
    }
    guard case .object(let values)? = value, values.count == 1 else { return nil }
    return values.keys.first
  }

  fileprivate func sentence(_ sentence: String) -> String {
    let path = self.codingPath.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
      .joined(separator: ".")
    return path.isEmpty ? sentence : "\(path): \(sentence)"
  }
}
