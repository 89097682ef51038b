import TestSupport
import Testing

@testable import ImmutableServer

struct MultipartParserTests {
  private typealias Event = MultipartParser.Event

  /// What a body means, with the pieces of each part put together.
  private static func events(
    _ body: [UInt8],
    boundary: String = "x",
    pieces: [Int] = []
  ) throws -> (events: [Event], isComplete: Bool) {
    var parser = MultipartParser(boundary: boundary)
    var events: [Event] = []
    var rest = body[...]
    for length in pieces + [body.count] {
      for event in try parser.events(rest.prefix(length)) {
        if case .bytes(let more) = event, case .bytes(let bytes)? = events.last {
          events[events.count - 1] = .bytes(bytes + more)
        } else {
          events.append(event)
        }
      }
      rest = rest.dropFirst(length)
    }
    return (events, parser.isComplete)
  }

  private static func part(_ name: String, file: String? = nil, _ content: [UInt8]) -> [UInt8] {
    let file = file.map { "; filename=\"\($0)\"\r\nContent-Type: image/png" } ?? ""
    return Array(
      "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8)
      + content + Array("\r\n".utf8)
  }

  private static let end = Array("--x--\r\n".utf8)

  @Test func `a form as browsers send it`() throws {
    let body =
      Self.part("_form", Array("setPicture".utf8)) + Self.part("empty", [])
      + Self.part("picture", file: "a.png", [0x89, 0x0D, 0x0A, 0x2D]) + Self.end

    let (events, isComplete) = try Self.events(body)

    #expect(
      events == [
        .part(name: "_form", isFile: false), .bytes(Array("setPicture".utf8)), .endOfPart,
        .part(name: "empty", isFile: false), .endOfPart,
        .part(name: "picture", isFile: true), .bytes([0x89, 0x0D, 0x0A, 0x2D]), .endOfPart,
      ])
    #expect(isComplete)
  }

  @Test(arguments: [
    ("name=\"a%22b\"", "a\"b"), ("name=a", "a"), ("NAME=\"é\"", "é"),
    ("filename=\"name=x\"; name=\"a\"", "a"), ("name=\"a;filename=b\"", "a;filename=b"),
    ("x-1=\"; name=b\"; name=a", "a"), (";;name=a", "a"), ("a;name=\t;name=a", "a"),
    ("name=a%", "a%"), ("name=\"%0D%0A%22%2\"", "\r\n\"%2"), ("name=a; b=\"", "a"),
    ("name=a=b", "a=b"), ("name=a,b; c=d", "a,b"),
  ])
  func `names are read as browsers write them`(parameters: String, name: String) throws {
    let body = "--x\r\ncontent-disposition: form-data; \(parameters)\r\n\r\n\r\n--x--"

    let (events, _) = try Self.events(Array(body.utf8))

    #expect(
      events.first == .part(name: name, isFile: parameters.hasPrefix("filename")))
  }

  /// A regular expression took seconds of a processor.
  @Test(.timeLimit(.minutes(1))) func `parameters may be many`() {
    let many = String(repeating: ";a=b; c=\"d\"", count: 100_000)

    let parameters = HeaderParameters(Array("form-data\(many); NAME=a; Name=\"b;c\"".utf8)[...])

    #expect(parameters["name"].map { Array($0) } == Array("b;c".utf8))
    #expect(parameters["c"].map { Array($0) } == Array("d".utf8))
    #expect(parameters["b"] == nil)
  }

  @Test(arguments: [
    "--x\r\n\r\n\r\n--x--", "--xy\r\n", "--x\r\nContent-Disposition: form-data\r\n\r\n",
    "--x\r\nContent-Type: a/b\r\n\r\n",
    "--x\r\nContent-Disposition: form-data; name=\"\0\"\r\n\r\n",
    "--x\r\nContent-Disposition: form-data; name=\"" + String(repeating: "a", count: 3_000),
  ])
  func `a malformed body is refused`(body: String) {
    #expect(throws: MultipartParser.Malformed.self) { try Self.events(Array(body.utf8)) }
  }

  @Test(arguments: [
    "", "--x", "--x\r\n", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb",
  ])
  func `a truncated body is incomplete`(body: String) throws {
    #expect(try Self.events(Array(body.utf8)).isComplete == false)
  }

  @Test func `generated forms parse the same regardless of chunks`() throws {
    let seed = UInt64.random(in: 0...(.max))
    var generator = SeededGenerator(seed: seed)
    // What looks like a delimiter, and nearly is one.
    let words: [[UInt8]] = [
      Array("\r\n".utf8), Array("\r\n-".utf8), Array("\r\n--".utf8), Array("--x".utf8),
      Array("\r".utf8), [0], [0xFF], Array("\r\n--y".utf8), Array("abc".utf8),
    ]
    for _ in 0..<300 {
      var body: [UInt8] = []
      var expected: [Event] = []
      for index in 0..<Int.random(in: 0...4, using: &generator) {
        let content = (0..<Int.random(in: 0...12, using: &generator))
          .flatMap { _ in words.randomElement(using: &generator) ?? [] }
        guard (content + [0x0D]).firstRange(of: Array("\r\n--x".utf8)) == nil else { continue }
        let isFile = Bool.random(using: &generator)
        body += Self.part("n\(index)", file: isFile ? "f" : nil, content)
        expected.append(.part(name: "n\(index)", isFile: isFile))
        if content.isEmpty == false { expected.append(.bytes(content)) }
        expected.append(.endOfPart)
      }
      body += Self.end
      let pieces = (0..<body.count).map { _ in Int.random(in: 0...9, using: &generator) }

      let (events, isComplete) = try Self.events(body, pieces: pieces)

      #expect(events == expected, "seed \(seed)")
      #expect(isComplete, "seed \(seed)")
    }
  }

  // If every byte scanned all of a head, this would take many minutes.
  @Test(.timeLimit(.minutes(1)))
  func `large heads that arrive byte by byte are scanned once`() throws {
    let name = String(repeating: "n", count: 1_900)
    let white = [UInt8](repeating: 0x20, count: 1_900)
    var parser = MultipartParser(boundary: "x")
    var parts = 0

    for _ in 0..<256 {
      let part =
        Array("--x".utf8) + white
        + Array("\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\r\n".utf8)
      for byte in part {
        for case .part in try parser.events(CollectionOfOne(byte)) { parts += 1 }
      }
    }

    #expect(parts == 256)
  }

  @Test func `any bytes are read safely, and little is buffered`() {
    let seed = UInt64.random(in: 0...(.max))
    var generator = SeededGenerator(seed: seed)
    let words: [[UInt8]] = [
      Array("--x\r\n".utf8), Array("\r\n--x".utf8), Array("--".utf8), Array("\r\n\r\n".utf8),
      Array("Content-Disposition: form-data; name=\"a\"".utf8), [0], [0xC3], Array(" ".utf8),
    ]
    for _ in 0..<300 {
      let body = (0..<Int.random(in: 0...40, using: &generator))
        .flatMap { _ in words.randomElement(using: &generator) ?? [] }
      var parser = MultipartParser(boundary: "x")
      var count = 0
      for byte in body {
        guard let events = try? parser.events([byte]) else { break }
        for case .bytes(let bytes) in events { count += bytes.count }
        #expect(parser.heldCount <= MultipartParser.headLimit + 8, "seed \(seed)")
      }
      #expect(count <= body.count, "seed \(seed)")
    }
  }
}
