import Services
import Testing

private let stream =
  ": hello\r\nretry: 500\r\n\r\n"
  + "event: saved\nid: 7\ndata: {\"a\": 1}\n\n"
  + ":\n\n"
  + "data: one\rdata:two\r\r"
  + "event: empty\n\n"
  + "data\nid: 8\nunknown: x\n\n"
  + "data: ü😀\n\n"
  + "id: 9\u{0}\ndata:  spaces \n\n"
  + "data: cut off"

private let events = [
  ServerSentEvent(name: "saved", id: "7", data: "{\"a\": 1}"),
  ServerSentEvent(name: "message", id: "7", data: "one\ntwo"),
  ServerSentEvent(name: "message", id: "8", data: ""),
  ServerSentEvent(name: "message", id: "8", data: "ü😀"),
  ServerSentEvent(name: "message", id: "8", data: " spaces "),
]

struct EventParserTests {
  @Test(arguments: [1, 2, 3, 5, 7, 64, 10_000])
  func `events are the same wherever the chunks end`(size: Int) throws {
    var parser = EventParser()
    var rest = Array(stream.utf8)[...]
    var parsed: [ServerSentEvent] = []

    while rest.isEmpty == false {
      parsed += try parser.push(rest.prefix(size))
      rest = rest.dropFirst(size)
    }

    #expect(parsed == events)
  }

  @Test func `CRLF is one line end even when split across chunks`() throws {
    var parser = EventParser()

    let parsed = try ["data: a\r", "", "\ndata: b\r", "\n\r", "\n"].flatMap {
      try parser.push(Array($0.utf8))
    }

    #expect(parsed == [ServerSentEvent(name: "message", id: "", data: "a\nb")])
  }

  @Test(arguments: ["\u{FEFF}data: x\n\n", "\u{FEFF}\ndata: x\n\n"])
  func `a byte order mark at the start is skipped`(text: String) throws {
    var parser = EventParser()

    let parsed = try parser.push(Array(text.utf8))

    #expect(parsed == [ServerSentEvent(name: "message", id: "", data: "x")])
  }

  @Test func `a byte order mark elsewhere is part of the text`() throws {
    var parser = EventParser()

    #expect(try parser.push(Array("\n\u{FEFF}data: x\n\n".utf8)) == [])
  }

  @Test(arguments: [
    "data: " + String(repeating: "x", count: 100),
    ":" + String(repeating: "x", count: 100),
    String(repeating: "data: 1234567890\n", count: 10),
    String(repeating: "data:\n", count: 200),
  ])
  func `an oversized event is an error`(text: String) throws {
    var parser = EventParser(byteLimit: 99)

    #expect(throws: BodyLimitError.self) { _ = try parser.push(Array(text.utf8)) }
  }

  @Test func `the size limit applies to each event, not to all together`() throws {
    var parser = EventParser(byteLimit: 20)

    let parsed = try (0..<1_000).flatMap { try parser.push(Array("data: \($0)\n\n".utf8)) }

    #expect(parsed.count == 1_000)
  }

  @Test func `invalid UTF-8 becomes replacement characters`() throws {
    var parser = EventParser()

    let parsed = try parser.push([0x64, 0x61, 0x74, 0x61, 0x3A, 0xFF, 0xFE, 0x00, 0x0A, 0x0A])

    #expect(parsed == [ServerSentEvent(name: "message", id: "", data: "\u{FFFD}\u{FFFD}\u{0}")])
  }
}
