/// Scripts and styles without what browsers do not need: comments, indentation, empty lines, and in
/// scripts most spaces.
///
/// A line stays a line, so a position in an error message still leads to the code. Names stay too.
enum CompactSource {
  // Loops over indices, because debug builds take a third of a server's start for the same with
  // sequences and closures.
  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")
  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")
  private static let tick = UInt8(ascii: "`")
  /// For each byte whether it begins a text.
  private static let isQuote = Self.table("\"'")
  private static let isSign = Self.table("+-")
  private static let isPunctuation = Self.table("=<>?:,;(){}[]&|!*%+-")

  private static func table(_ characters: String) -> [Bool] {
    (0...UInt8.max).map { characters.utf8.contains($0) }
  }

  /// Passes each line to a function, without its end and without its indentation too.
  private static func forEachLine(
    of source: [UInt8],
    _ body: (_ line: Range<Int>, _ code: Range<Int>) -> Void
  ) {
    var end = 0
    while end <= source.count {
      let start = end
      while end < source.count, source[end] != Self.newline { end += 1 }
      var code = start
      while code < end, source[code] == Self.space || source[code] == Self.tab { code += 1 }
      body(start..<end, code..<end)
      end += 1
    }
  }

  /// A script without the lines that contain only a comment, and without comments at the end of a
  /// line, unless there are quotes in them.
  ///
  /// - Complexity: O(n), n characters.
  static func withoutComments(script: String) -> String {
    let source = Array(script.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(source.count + 1)
    var isInComment = false
    Self.forEachLine(of: source) { line, code in
      let isComment = code.isEmpty == false && source[code.lowerBound] == Self.slash
      let comment = isComment || isInComment ? String(decoding: source[code], as: UTF8.self) : ""
      if isInComment || comment.hasPrefix("/**") {
        isInComment = comment.hasSuffix("*/") == false
      } else if comment.hasPrefix("//") == false {
        kept += source[line.lowerBound..<Self.endOfCode(source, line)]
        kept.append(Self.newline)
      }
    }
    return String(decoding: kept.dropLast(), as: UTF8.self)
  }

  /// Where the comment at the end of a line begins. What looks like one in a text has a quote after it.
  private static func endOfCode(_ source: [UInt8], _ line: Range<Int>) -> Int {
    var index = line.upperBound - 2
    while index > line.lowerBound, Self.isQuote[Int(source[index + 1])] == false,
      source[index + 1] != Self.tick
    {
      if source[index] == Self.slash, source[index + 1] == Self.slash,
        source[index - 1] == Self.space
      {
        return index - 1
      }
      index -= 1
    }
    return line.upperBound
  }

  /// A script without indentation, empty lines, and spaces beside punctuation, except in literals.
  /// From a line on where it is unclear whether a literal begins or ends, the script stays as it is.
  ///
  /// - Complexity: O(n), n characters.
  static func withoutSpace(script: String) -> String {
    let source = Array(script.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(source.count + 1)
    var isInLiteral = false
    var isClear = true
    Self.forEachLine(of: source) { line, code in
      var ticks = 0
      var hasSlash = false
      var hasQuote = false
      for index in line {
        let byte = source[index]
        if byte == Self.tick { ticks += 1 }
        if byte == Self.slash { hasSlash = true }
        if Self.isQuote[Int(byte)] { hasQuote = true }
      }
      let isOdd = ticks.isMultiple(of: 2) == false
      if isOdd, hasQuote || hasSlash { isClear = false }
      if isInLiteral || isClear == false {
        kept += source[line]
        kept.append(Self.newline)
      } else if code.isEmpty == false {
        // A slash or a backtick may be of a regular expression, a comment or a template literal.
        if ticks > 0 || hasSlash {
          kept += source[code]
        } else {
          Self.add(source, code, to: &kept)
        }
        kept.append(Self.newline)
      }
      if isOdd { isInLiteral.toggle() }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Adds code of one line without spaces beside punctuation, except in texts.
  private static func add(_ source: [UInt8], _ code: Range<Int>, to kept: inout [UInt8]) {
    var quote: UInt8?
    var isEscaped = false
    var last = Self.newline
    for index in code {
      let byte = source[index]
      if quote != nil {
        if byte == quote, isEscaped == false { quote = nil }
        isEscaped = byte == UInt8(ascii: "\\") && isEscaped == false
      } else if Self.isQuote[Int(byte)] {
        quote = byte
      } else if byte == Self.space {
        let next = index + 1 < code.upperBound ? source[index + 1] : Self.newline
        // `a + +b` is not `a ++b`.
        let areSigns = Self.isSign[Int(last)] && Self.isSign[Int(next)]
        let canGo = Self.isPunctuation[Int(last)] || Self.isPunctuation[Int(next)]
        if canGo, areSigns == false { continue }
      }
      kept.append(byte)
      last = byte
    }
  }

  /// A style sheet without comments, indentation and empty lines.
  ///
  /// - Complexity: O(n), n bytes.
  static func styles(_ sheet: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(sheet.count)
    var quote: UInt8?
    var isAtLineStart = true
    var index = 0
    while index < sheet.count {
      let byte = sheet[index]
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == Self.slash, index < sheet.count, sheet[index] == Self.star {
        index += 3
        while index < sheet.count, sheet[index - 2] != Self.star || sheet[index - 1] != Self.slash {
          index += 1
        }
        continue
      } else if Self.isQuote[Int(byte)] {
        quote = byte
      } else if isAtLineStart, byte <= Self.space {
        // All that is less than a space is white space too.
        continue
      }
      kept.append(byte)
      isAtLineStart = byte == Self.newline
    }
    return kept
  }
}
