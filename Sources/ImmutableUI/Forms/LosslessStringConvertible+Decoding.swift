extension LosslessStringConvertible {
  /// Decodes a value from its description.
  ///
  /// - Parameter expected: What a description is, for the message of the error.
  init(describedIn decoder: any Decoder, _ expected: String) throws {
    guard let value = Self(try String(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "expected \(expected)"))
    }
    self = value
  }
}
