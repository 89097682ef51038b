/// An error in JSON, with its position: `ui._0.save.name: Expected to decode String but …`.
struct DecodingProblem: CustomStringConvertible {
  let description: String

  /// - Parameter error: The error of a decoder.
  init(_ error: any Error) {
    self.description =
      switch error as? DecodingError {
      case .typeMismatch(let type, let context) where context.isUnknownCase:
        context.sentence("This has to be one case of \(type), by its name.")
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

  fileprivate func sentence(_ sentence: String) -> String {
    let path = self.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? sentence : "\(path): \(sentence)"
  }
}
