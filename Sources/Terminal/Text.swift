import Foundation

/// Text for a terminal.
package enum Text {
  /// Rows below a heading, in columns as wide as their content.
  ///
  /// ```
  /// ID    NAME
  /// Bird  Bird
  /// ```
  package static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let lines = ([heading] + rows).map { $0.map(Self.line) }
    let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = padded.joined(separator: "  ")
      return line.prefix(line.count - line.reversed().prefix { $0 == " " }.count) + "\n"
    }.joined()
  }

  /// Text in one line, without control sequences or characters that would hide other text.
  package static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate:
        line += Self.escape(scalar)
      case .format
      where (0x202A...0x202E).contains(scalar.value)
        || (0x2066...0x2069).contains(scalar.value):
        // Writing direction.
        line += Self.escape(scalar)
      default:
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
