// Texts from others for a terminal or a log.
extension String {
  /// The text in one line, without control sequences or characters that would hide other text. They
  /// are escaped as in Swift.
  ///
  /// - Complexity: O(n), n bytes.
  package var inOneLine: String {
    guard self.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) == false else { return self }
    var line = String.UnicodeScalarView()
    for scalar in self.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate:
        line += scalar.escapedForLine
      case .format
      where (0x202A...0x202E).contains(scalar.value)
        || (0x2066...0x2069).contains(scalar.value):
        // Writing direction.
        line += scalar.escapedForLine
      default:
        line.append(scalar)
      }
    }
    return String(line)
  }
}

extension Unicode.Scalar {
  fileprivate var escapedForLine: String.UnicodeScalarView {
    switch self {
    case "\n": "\\n".unicodeScalars
    case "\r": "\\r".unicodeScalars
    case "\t": "\\t".unicodeScalars
    default: "\\u{\(String(self.value, radix: 16))}".unicodeScalars
    }
  }
}
