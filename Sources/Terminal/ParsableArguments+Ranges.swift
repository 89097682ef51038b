package import ArgumentParser

extension ParsableArguments {
  /// Checks the values of options.
  ///
  /// - Throws: `ValidationError` for the first value that is out of range.
  package func require(_ options: KeyValuePairs<String, Int>, in range: ClosedRange<Int>) throws {
    for (name, value) in options {
      guard value >= range.lowerBound else {
        throw ValidationError("\(name) must be \(range.lowerBound) or more, not \(value).")
      }
      guard value <= range.upperBound else {
        throw ValidationError("\(name) must be \(range.upperBound) or less, not \(value).")
      }
    }
  }
}

extension ClosedRange<Int> {
  /// Numbers of things, and bytes in memory or of a request.
  package static var counts: Self { 1...1_000_000_000 }
  /// Up to any number, for timeouts of connections.
  package static var positive: Self { 1...(.max) }
  /// Up to a day.
  package static var seconds: Self { 1...86_400 }
  /// Up to 16 terabytes.
  package static var megabytes: Self { 1...16_777_216 }
}
