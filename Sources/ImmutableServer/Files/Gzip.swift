import CZlib

/// Compresses a response piece by piece.
///
/// Source: RFC 1951 and RFC 1952, implemented by zlib.
final class Gzip {
  /// It is for responses to one reader: a list of 400 kB takes 2.6 ms and becomes 49 kB. Level 1
  /// would take 1.4 ms and result in 57 kB, level 9 would take 7 ms and result in 46 kB.
  static let pageLevel: Int32 = 5

  private var stream = z_stream()

  /// - Parameters:
  ///   - level: From 1, the fastest, to 9, the smallest.
  ///   - hasHeader: Whether it writes the header of gzip, and the checksum.
  /// - Returns: `nil` if zlib has no memory.
  init?(level: Int32, hasHeader: Bool = true) {
    // A window of 15 bits: 256 KB of memory per instance. More means a header, less means none.
    let window: Int32 = hasHeader ? 15 + 16 : -15
    let status = deflateInit2_(
      &self.stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else { return nil }
  }

  deinit {
    deflateEnd(&self.stream)
  }

  /// Compresses the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes.
  ///   - isLast: Whether these are the last bytes.
  /// - Returns: The output that is available so far. It may be empty unless these are the last
  ///   bytes.
  /// - Complexity: O(n), n bytes.
  func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    self.compress(bytes, isLast ? Z_FINISH : Z_NO_FLUSH)
  }

  /// Compresses bytes that do not refer to earlier ones, up to a byte boundary, so that a reader gets
  /// all of them.
  ///
  /// Source: zlib's manual, `Z_FULL_FLUSH`.
  ///
  /// - Complexity: O(n), n bytes.
  func compressAlone(_ bytes: [UInt8]) -> [UInt8] {
    deflateReset(&self.stream)
    return self.compress(bytes, Z_FULL_FLUSH)
  }

  private func compress(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
    let bound = Int(deflateBound(&self.stream, UInt(bytes.count))) + 64
    var (input, output) = (bytes, [UInt8]())
    input.withUnsafeMutableBufferPointer { input in
      self.stream.next_in = input.baseAddress
      self.stream.avail_in = UInt32(input.count)
      // The output of earlier bytes may come now too, so it can exceed the bound for these bytes.
      repeat {
        output += [UInt8](unsafeUninitializedCapacity: bound) { output, count in
          self.stream.next_out = output.baseAddress
          self.stream.avail_out = UInt32(output.count)
          _ = deflate(&self.stream, flush)
          count = output.count - Int(self.stream.avail_out)
        }
      } while self.stream.avail_out == 0
    }
    return output
  }
}

extension Gzip {
  /// - Returns: `nil` if zlib has no memory, or if the result would not be shorter.
  /// - Complexity: O(n), n bytes.
  static func compress(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    guard let compressed = Gzip(level: level)?.compress(bytes, isLast: true),
      compressed.count < bytes.count
    else { return nil }
    return compressed
  }
}
