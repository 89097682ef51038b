import CZlib

/// Compresses what is sent, piece by piece.
///
/// Source: RFC 1952, by zlib.
final class Gzip {
  private var stream = z_stream()

  /// - Parameter level: From 1, the fastest, to 9, the smallest.
  /// - Returns: `nil` when zlib cannot, since there is no memory.
  init?(level: Int32) {
    // 15 bits of window, and 16 for a gzip header: 256 KB while it lives.
    let status = deflateInit2_(
      &self.stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else { return nil }
  }

  deinit {
    deflateEnd(&self.stream)
  }

  /// Compresses more.
  ///
  /// - Parameters:
  ///   - bytes: What comes next.
  ///   - isLast: Whether nothing comes after them.
  /// - Returns: What there is to send by now; it may be empty unless they were the last.
  /// - Complexity: O(n), n bytes.
  func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    let bound = Int(deflateBound(&self.stream, UInt(bytes.count))) + 64
    var (input, output) = (bytes, [UInt8]())
    input.withUnsafeMutableBufferPointer { input in
      self.stream.next_in = input.baseAddress
      self.stream.avail_in = UInt32(input.count)
      // What is compressed may come out later, with more than the bound of these bytes.
      repeat {
        output += [UInt8](unsafeUninitializedCapacity: bound) { output, count in
          self.stream.next_out = output.baseAddress
          self.stream.avail_out = UInt32(output.count)
          _ = deflate(&self.stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          count = output.count - Int(self.stream.avail_out)
        }
      } while self.stream.avail_out == 0
    }
    return output
  }
}

extension Gzip {
  /// - Returns: `nil` when zlib cannot, or when it would not be shorter.
  /// - Complexity: O(n), n bytes.
  static func compress(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    guard let compressed = Gzip(level: level)?.compress(bytes, isLast: true),
      compressed.count < bytes.count
    else { return nil }
    return compressed
  }
}
