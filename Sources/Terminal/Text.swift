import PlainText

/// Text for a terminal.
package enum Text {
  /// Rows below a heading, in columns as wide as their content.
  ///
  /// ```
  /// ID    NAME
  /// Bird  Bird
  /// ```
  package static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let lines = ([heading] + rows).map { $0.map(\.inOneLine) }
    let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = padded.joined(separator: "  ")
      return line.prefix(line.count - line.reversed().prefix { $0 == " " }.count) + "\n"
    }.joined()
  }
}
