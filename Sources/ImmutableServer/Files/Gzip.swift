import CZlib

/// Compresses what is sent.
///
/// Source: RFC 1952, by zlib.
enum Gzip {
  /// - Parameters:
  ///   - bytes: What to compress.
  ///   - level: From 1, the fastest, to 9, the smallest.
  /// - Returns: `nil` when zlib cannot, or when it would not be shorter.
  /// - Complexity: O(n), n bytes.
  static func compress(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 for a gzip header.
    let status = deflateInit2_(
      &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else { return nil }
    defer { deflateEnd(&stream) }

    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    let compressed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
  }
}
