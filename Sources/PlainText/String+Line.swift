// Texts from others for a terminal or a log.
extension String {
  /// The text in one line, without control sequences or characters that would hide other text. They
  /// are escaped as in Swift.
  ///
  /// - Complexity: O(n), n bytes.
  package var inOneLine: String { self.escaped(\.escapedForLine) }

  /// The beginning of the text, with an ellipsis if there is more.
  ///
  /// - Parameter limit: The maximum size of the beginning, in bytes.
  /// - Complexity: O(n), n bytes of the result.
  package func cut(to limit: Int) -> String {
    guard self.utf8.count > limit else { return self }
    return String(decoding: self.utf8.prefix(limit), as: UTF8.self) + "\u{2026}"
  }

  /// The same for JSON that an encoder has written. They are escaped as in JSON, so it means the same.
  ///
  /// - Complexity: O(n), n bytes.
  package var jsonInOneLine: String { self.escaped(\.escapedForJSON) }

  private func escaped(_ escaped: (Unicode.Scalar) -> String) -> String {
    guard self.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) == false else { return self }
    var line = String.UnicodeScalarView()
    for scalar in self.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate:
        line += escaped(scalar).unicodeScalars
      case .format
      where (0x202A...0x202E).contains(scalar.value)
        || (0x2066...0x2069).contains(scalar.value):
        // Writing direction.
        line += escaped(scalar).unicodeScalars
      default:
        line.append(scalar)
      }
    }
    return String(line)
  }
}

extension Unicode.Scalar {
  fileprivate var escapedForLine: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(self.value, radix: 16))}"
    }
  }

  /// All that are escaped have four digits at most.
  fileprivate var escapedForJSON: String {
    let digits = String(self.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
