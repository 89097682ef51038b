/// Reads `multipart/form-data` piece by piece. It turns the arriving bytes into events, and holds
/// no more than the size of a delimiter or of the head of a part.
///
/// ```swift
/// var parser = MultipartParser(boundary: "x")
/// try parser.events(Array("--x\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n\\r\\n1".utf8))
/// // [.part(name: "a", isFile: false), .bytes([0x31])]
/// ```
///
/// Source: RFC 7578, RFC 2046 section 5.1.1; the HTML Standard, section Multipart form data, for how
/// browsers write names.
struct MultipartParser {
  enum Event: Equatable {
    case part(name: String, isFile: Bool)
    /// Some more of the part's content. Never empty.
    case bytes([UInt8])
    case endOfPart
  }

  /// An error in a body.
  struct Malformed: Error, Equatable {}

  private enum Position {
    /// Before the first delimiter.
    case preamble
    case afterDelimiter
    case head
    case content
    /// After the last delimiter. The rest is ignored.
    case epilogue
  }

  /// The maximum size of a part's head, in bytes.
  static let headLimit = 2_048

  private let delimiter: [UInt8]
  private var position = Position.preamble
  /// The bytes that have arrived but are not parsed yet. Bounded by a piece and ``headLimit``.
  private var rest: [UInt8]
  /// How many of them are known not to begin the end of a head.
  private var scanned = 0

  /// - Parameter boundary: 1 to 70 characters of ASCII.
  init(boundary: String) {
    self.delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter need not have a line before it.
    self.rest = Array("\r\n".utf8)
  }

  /// Whether the last delimiter has arrived.
  var isComplete: Bool { self.position == .epilogue }

  /// The number of bytes that are not parsed yet.
  var heldCount: Int { self.rest.count }

  /// - Parameter bytes: The bytes that have arrived.
  /// - Returns: The events.
  /// - Throws: ``Malformed``, after which parsing cannot continue.
  /// - Complexity: O(n + d), n bytes, d bytes of the delimiter; amortised, if a head ends.
  mutating func events(_ bytes: some Sequence<UInt8>) throws(Malformed) -> [Event] {
    guard self.position != .epilogue else { return [] }
    self.rest += bytes
    var events: [Event] = []
    var start = 0
    while let next = try self.next(from: start, &events) {
      start = next
    }
    if start > 0 { self.rest.removeFirst(start) }
    return events
  }

  /// - Returns: Where to continue; `nil` if more bytes must arrive first. In that case everything
  ///   before ``start`` has been parsed.
  private mutating func next(from start: Int, _ events: inout [Event]) throws(Malformed) -> Int? {
    switch self.position {
    case .preamble, .content:
      let isContent = self.position == .content
      let end = self.findDelimiter(from: start)
      if isContent, end.index > start { events.append(.bytes(Array(self.rest[start..<end.index]))) }
      guard end.isWhole else {
        guard end.index > start else { return nil }
        return end.index
      }
      if isContent { events.append(.endOfPart) }
      self.position = .afterDelimiter
      return end.index + self.delimiter.count
    case .afterDelimiter:
      // The line may contain white space, but browsers write none.
      let line = self.rest[start...].drop { $0 == 0x20 || $0 == 0x09 }
      guard line.count >= 2 else { return line.startIndex > start ? line.startIndex : nil }
      if line.starts(with: [0x2D, 0x2D]) {
        self.position = .epilogue
        return nil
      }
      guard line.starts(with: [0x0D, 0x0A]) else { throw Malformed() }
      self.position = .head
      self.scanned = 0
      // If there are no fields, the end of this line is the start of an empty line.
      return line.startIndex
    case .head:
      guard let end = self.findEndOfHead(from: start + self.scanned) else {
        // The last three bytes may be the beginning of the end.
        self.scanned = max(0, self.rest.count - start - 3)
        guard self.rest.count - start <= Self.headLimit else { throw Malformed() }
        return nil
      }
      guard end - start <= Self.headLimit else { throw Malformed() }
      events.append(try MultipartHead.part(self.rest[start..<end]))
      self.position = .content
      return end + 4
    case .epilogue:
      return nil
    }
  }

  /// - Returns: Where the delimiter begins, or where it may begin once more bytes have arrived.
  private func findDelimiter(from start: Int) -> (index: Int, isWhole: Bool) {
    self.rest.withUnsafeBufferPointer { rest in
      self.delimiter.withUnsafeBufferPointer { delimiter in
        var index = start
        while index < rest.count {
          guard rest[index] == 0x0D else {
            index += 1
            continue
          }
          let count = min(delimiter.count, rest.count - index)
          var same = 1
          while same < count, rest[index + same] == delimiter[same] { same += 1 }
          if same == count { return (index, count == delimiter.count) }
          index += 1
        }
        return (index, false)
      }
    }
  }

  /// - Returns: The start of the line end that is followed by an empty line.
  private func findEndOfHead(from start: Int) -> Int? {
    let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    guard self.rest.count - start >= 4 else { return nil }
    return (start...(self.rest.count - 4)).first { self.rest[$0..<($0 + 4)].elementsEqual(end) }
  }
}

/// The head of a part.
private enum MultipartHead {
  /// - Parameter bytes: The fields, each with a line end before it.
  /// - Complexity: O(n), n bytes.
  static func part(
    _ bytes: ArraySlice<UInt8>
  ) throws(MultipartParser.Malformed) -> MultipartParser.Event {
    guard String(validating: bytes, as: UTF8.self) != nil, bytes.contains(0) == false else {
      throw MultipartParser.Malformed()
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let field = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      guard field.count == 2,
        String(decoding: field[0], as: UTF8.self).lowercased() == "content-disposition"
      else { continue }
      let parameters = HeaderParameters(field[1])
      guard let name = parameters["name"] else { break }
      return .part(name: Self.unescaped(name), isFile: parameters["filename"] != nil)
    }
    throw MultipartParser.Malformed()
  }

  private static func unescaped(_ name: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      let escaped = byte == UInt8(ascii: "%") ? Self.escaped[Array(rest.prefix(2))] : nil
      bytes.append(escaped ?? byte)
      if escaped != nil { rest = rest.dropFirst(2) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What browsers escape in names.
  private static let escaped = [
    Array("22".utf8): UInt8(ascii: "\""), Array("0D".utf8): UInt8(ascii: "\r"),
    Array("0A".utf8): UInt8(ascii: "\n"),
  ]
}
