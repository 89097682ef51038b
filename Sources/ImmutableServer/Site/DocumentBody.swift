import HTMLTemplates
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore

/// The document of a page, to be written piece by piece: whoever takes it slowly holds up a piece, and not
/// the page.
struct DocumentBody: Sendable {
  /// About how many bytes a piece has.
  private static let pieceSize = 64 * 1024

  private var before: ArraySlice<UInt8>
  private var content: PageWriter
  private var after: ArraySlice<UInt8>
  /// Whether all of it was written.
  private(set) var isAtEnd = false

  init(_ document: (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>), _ content: PageWriter) {
    (self.before, self.after) = document
    self.content = content
  }

  /// The next piece; the last may be empty.
  ///
  /// - Complexity: O(n), n bytes of the piece.
  mutating func next() -> [UInt8] {
    var writer = HTMLWriter(capacity: self.before.count + 4_096)
    writer.write(bytes: self.before)
    self.before = []
    if self.content.write(atLeast: Self.pieceSize, into: &writer) == false {
      writer.write(bytes: self.after)
      self.isAtEnd = true
    }
    return writer.bytes
  }
}

extension DocumentBody {
  /// How many bytes are left: what is written twice has the same length, for tokens have one length.
  ///
  /// - Complexity: O(n), n bytes.
  fileprivate var count: Int {
    var (body, count) = (self, 0)
    while body.isAtEnd == false { count += body.next().count }
    return count
  }
}

extension ResponseBody {
  /// A piece and what follows it, each made when the client has taken the one before. Its length is known
  /// unless it is compressed.
  init(_ first: [UInt8], then rest: DocumentBody, gzipped: Bool) {
    self.init(contentLength: gzipped ? nil : first.count + rest.count) { writer in
      var (rest, piece) = (rest, first)
      let gzip = gzipped ? Gzip(level: 1) : nil
      if gzipped, gzip == nil { throw OutOfMemory() }
      while true {
        let isLast = rest.isAtEnd
        let bytes = gzip?.compress(piece, isLast: isLast) ?? piece
        if bytes.isEmpty == false { try await writer.write(ByteBuffer(bytes: bytes)) }
        if isLast { break }
        piece = rest.next()
      }
      try await writer.finish(nil)
    }
  }

  private struct OutOfMemory: Error {}
}
