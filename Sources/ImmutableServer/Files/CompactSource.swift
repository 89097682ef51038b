/// Scripts and styles without what browsers do not need: comments, indentation, empty lines, and in
/// scripts most spaces.
///
/// A line stays a line, so a position in an error message still leads to the code. Names stay too.
enum CompactSource {
  /// A script without the lines that contain only a comment, and without comments at the end of a
  /// line, unless there are quotes in them.
  ///
  /// - Complexity: O(n), n characters.
  static func withoutComments(script: String) -> String {
    var kept: [Substring] = []
    var isInComment = false
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if isInComment || text.hasPrefix("/**") {
        isInComment = line.hasSuffix("*/") == false
      } else if text.hasPrefix("//") == false {
        kept.append(line[..<Self.endOfCode(line)])
      }
    }
    return kept.joined(separator: "\n")
  }

  /// Where the comment at the end of a line begins. What looks like one in a text has a quote after it.
  private static func endOfCode(_ line: Substring) -> Substring.Index {
    let bytes = line.utf8
    var slash: Substring.Index?
    for index in bytes.indices.reversed() {
      switch bytes[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return line.endIndex
      case UInt8(ascii: "/"):
        if let slash, bytes.index(after: index) == slash, index > line.startIndex,
          bytes[bytes.index(before: index)] == UInt8(ascii: " ")
        {
          return bytes.index(before: index)
        }
        slash = index
      default: break
      }
    }
    return line.endIndex
  }

  /// A script without indentation, empty lines, and spaces beside punctuation, except in literals.
  /// From a line on where it is unclear whether a literal begins or ends, the script stays as it is.
  ///
  /// - Complexity: O(n), n characters.
  static func withoutSpace(script: String) -> String {
    var kept: [String] = []
    var isInLiteral = false
    var isClear = true
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = line.drop { $0 == " " || $0 == "\t" }
      let isOdd = line.utf8.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) == false
      if isOdd, line.utf8.contains(where: "\"'/".utf8.contains) { isClear = false }
      if isInLiteral || isClear == false {
        kept.append(String(line))
      } else if code.isEmpty == false {
        kept.append(Self.withoutSpaces(code))
      }
      if isOdd { isInLiteral.toggle() }
    }
    return kept.joined(separator: "\n") + "\n"
  }

  /// A line without spaces beside punctuation, except in texts.
  ///
  /// A line with a slash or a backtick stays as it is, because it may contain a regular expression, a
  /// comment or a template literal.
  private static func withoutSpaces(_ line: Substring) -> String {
    let bytes = Array(line.utf8)
    guard bytes.contains(where: "/`".utf8.contains) == false else { return String(line) }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var quote: UInt8?
    var isEscaped = false
    for (byte, next) in zip(bytes, bytes.dropFirst() + [UInt8(ascii: "\n")]) {
      if quote != nil {
        if byte == quote, isEscaped == false { quote = nil }
        isEscaped = byte == UInt8(ascii: "\\") && isEscaped == false
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: " "), let last = kept.last {
        // `a + +b` is not `a ++b`.
        let areSigns = "+-".utf8.contains(last) && "+-".utf8.contains(next)
        let punctuation = "=<>?:,;(){}[]&|!*%+-".utf8
        if areSigns == false, punctuation.contains(last) || punctuation.contains(next) { continue }
      }
      kept.append(byte)
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// A style sheet without comments, indentation and empty lines.
  ///
  /// - Complexity: O(n), n bytes.
  static func styles(_ sheet: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(sheet.count)
    var quote: UInt8?
    var index = 0
    while index < sheet.count {
      let byte = sheet[index]
      if quote == nil, byte == UInt8(ascii: "/"), sheet[index...].starts(with: "/*".utf8) {
        index += 4
        while index < sheet.count, sheet[(index - 2)..<index].elementsEqual("*/".utf8) == false {
          index += 1
        }
        continue
      }
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      // All that is less than a space is white space too.
      let isAtLineStart = kept.isEmpty || kept.last == UInt8(ascii: "\n")
      if isAtLineStart, byte <= UInt8(ascii: " "), quote == nil { continue }
      kept.append(byte)
    }
    return kept
  }
}
