import Foundation
import Testing

@testable import PlainText

struct CombiningMarksTests {
  /// Marks whose order in a text may be any, with those beyond 16 bits and those that are decomposed.
  private static let marks = [
    "\u{301}\u{323}", "\u{301}", "\u{F72}\u{F71}", "\u{F73}", "\u{344}", "\u{1D165}",
  ]

  private static func text(_ marks: String, _ count: Int) -> String {
    let scalars = Array(marks.unicodeScalars)
    return String(String.UnicodeScalarView((0..<count).map { scalars[$0 % scalars.count] }))
  }

  @Test(arguments: Self.marks) func `a text keeps 128 marks in a row`(marks: String) {
    let most = "e\(Self.text(marks, 128))"
    let text = "a\(most)\(Self.text(marks, 5))b\(most)c"

    let cut = text.withoutExcessMarks

    #expect(most.withoutExcessMarks.unicodeScalars.elementsEqual(most.unicodeScalars))
    let excess = String(repeating: "\u{FFFD}", count: 5)
    #expect(cut.unicodeScalars.elementsEqual("a\(most)\(excess)b\(most)c".unicodeScalars))
    #expect((text.hasTooManyMarks, cut.hasTooManyMarks) == (true, false))
  }

  @Test(arguments: [
    "", "Otter", "San José", "e\u{301}\u{323}", "żółw", "कीड़ा", "กี่ปี้", "עִבְרִית", "漢字", "👨‍👩‍👧", "각",
    String(repeating: "e\u{301}\u{323}", count: 1_000),
    String(repeating: "\u{1161}", count: 1_000), String(repeating: "\u{0600}", count: 1_000),
    String(repeating: "\u{FF9E}\u{301}", count: 1_000),
  ])
  func `what people write stays as it is`(text: String) throws {
    #expect(text.withoutExcessMarks.unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(try JSONEncoder().encode([text: text]).problemAsJSON == nil)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { "\\u" + String(Int($0) + 0x10000, radix: 16).dropFirst() }.joined()
  }

  @Test(arguments: Self.marks) func `marks in JSON count, escaped or not`(marks: String) {
    func json(_ count: Int, escapes: (Int) -> Bool) -> Data {
      let scalars = Self.text(marks, count).unicodeScalars.enumerated().map { index, scalar in
        escapes(index) ? Self.escaped(scalar) : String(scalar)
      }
      return Data("{\"e\(scalars.joined())\": 1}".utf8)
    }
    for escapes in [{ _ in true }, { _ in false }, { $0 % 3 == 0 }] as [(Int) -> Bool] {
      #expect(json(128, escapes: escapes).problemAsJSON == nil)
      #expect(json(129, escapes: escapes).problemAsJSON == .tooManyMarks)
    }
  }

  @Test(arguments: [
    #"""#, #"\"#, #"\u"#, #"\u03"#, #"\u03zz"#, #"\ud834"#, #"\ud834\u"#, #"\ud834\u0301"#,
    #"\udd65"#, #"\\u0301"#, #"\n"#, "\u{FFFD}",
  ])
  func `malformed escapes are no marks, and hide none`(text: String) {
    let many = String(repeating: text, count: 200)
    let marks = String(repeating: "\u{301}", count: 129)

    #expect(Data(many.utf8).problemAsJSON == nil)
    #expect(Data("\(many) \(marks)".utf8).problemAsJSON == .tooManyMarks)
  }

  @Test(arguments: [
    [0xCC], [0xCC, 0x20], [0xE0, 0xA4], [0xF0, 0x9D, 0x85], [0x20, 0xFF], [0xC0, 0x80],
    [0xED, 0xA0, 0x80],
  ])
  func `bytes that are no UTF-8 are no marks, and hide none`(bytes: [UInt8]) {
    let marks = Array(String(repeating: "\u{301}", count: 129).utf8)

    #expect(Data([[UInt8]](repeating: bytes, count: 200).joined()).problemAsJSON == nil)
    #expect(Data(bytes + marks + bytes).problemAsJSON == .tooManyMarks)
  }

  /// In them, marks are other bytes: those of U+0301 are ASCII.
  @Test(
    arguments: [
      String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
    ], ["1", "[]", "{\"e\(Self.text("\u{301}", 129))\": 1}"])
  func `JSON in another encoding is refused, with a byte order mark and without`(
    encoding: String.Encoding,
    text: String
  ) throws {
    let json = try #require(text.data(using: encoding))
    let orderMark = try #require("\u{FEFF}".data(using: encoding))
    // Otherwise there would be nothing to refuse.
    #expect(throws: Never.self) { try JSONDecoder().decode(JSON.self, from: json) }

    #expect(json.problemAsJSON == .notUTF8)
    #expect((orderMark + json).problemAsJSON == .notUTF8)
  }

  @Test(arguments: ["", "1", "[]", "{\"e\(Self.text("\u{301}", 128))\": 1}"])
  func `JSON in UTF-8 may have a byte order mark`(text: String) {
    #expect(Data(text.utf8).problemAsJSON == nil)
    #expect(Data("\u{FEFF}\(text)".utf8).problemAsJSON == nil)
  }

  /// Any JSON.
  private struct JSON: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
