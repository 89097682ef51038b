package import HummingbirdCore
import NIOCore

extension ResponseBody {
  /// The approximate size of the pieces in which long bodies are made and written, in bytes.
  package static var pieceLength: Int { 64 << 10 }

  /// A body that is read piece by piece, each once the client has taken the one before.
  ///
  /// - Parameters:
  ///   - count: The size of the body, in bytes.
  ///   - read: Returns as many bytes as told from an offset. It may wait for a disk.
  package static func pieces(
    of count: Int,
    read: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) -> ResponseBody {
    ResponseBody(contentLength: count) { writer in
      for offset in stride(from: 0, to: count, by: Self.pieceLength) {
        let bytes = try await DiskAccess.shared.run {
          try read(offset, min(Self.pieceLength, count - offset))
        }
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
  }
}
