import HTMLTemplates
import HTTPConnections
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore

/// The document of a page, written piece by piece, so that a slow client holds one piece in memory
/// rather than the whole page.
struct DocumentBody: Sendable {
  private var before: ArraySlice<UInt8>
  private var content: PageWriter
  private var after: ArraySlice<UInt8>
  /// Whether all of it has been written.
  private(set) var isAtEnd = false

  init(_ document: (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>), _ content: PageWriter) {
    (self.before, self.after) = document
    self.content = content
  }

  /// The next piece; the last may be empty.
  ///
  /// - Complexity: O(n), n bytes of the piece.
  mutating func next() -> [UInt8] {
    // Most pages are short, but what follows a first piece is long.
    let isFirst = self.before.isEmpty == false
    var writer = HTMLWriter(
      capacity: isFirst ? self.before.count + 4_096 : ResponseBody.pieceLength + 4_096)
    writer.write(bytes: self.before)
    self.before = []
    if self.content.write(atLeast: ResponseBody.pieceLength, into: &writer) == false {
      writer.write(bytes: self.after)
      self.isAtEnd = true
    }
    return writer.bytes
  }
}

extension DocumentBody {
  /// The number of bytes that are left. Writing twice gives the same length, because all tokens are
  /// equally long.
  ///
  /// - Complexity: O(n), n bytes.
  fileprivate var count: Int {
    var (body, count) = (self, 0)
    while body.isAtEnd == false { count += body.next().count }
    return count
  }
}

extension ResponseBody {
  /// A piece and the rest of the document. Each piece is made once the client has read the previous
  /// one. The length is known unless the body is compressed.
  ///
  /// - Parameter compressor: `nil` if the body is not compressed.
  init(_ first: [UInt8], then rest: DocumentBody, _ compressor: PageCompressors.Permit?) {
    self.init(contentLength: compressor == nil ? first.count + rest.count : nil) { writer in
      defer { withExtendedLifetime(compressor) {} }
      var (rest, piece) = (rest, first)
      let gzip = compressor.flatMap { _ in Gzip(level: Gzip.pageLevel) }
      if compressor != nil, gzip == nil { throw OutOfMemory() }
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
