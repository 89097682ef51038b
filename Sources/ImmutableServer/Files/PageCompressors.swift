import Synchronization

/// Counts the compressors of the pages that are being sent.
///
/// A compressor takes 256 kB, and lives until the client has read the page. There are at most 128,
/// so clients that are slow to read cannot take more than 32 MB for them. Further pages are not
/// compressed.
final class PageCompressors: Sendable {
  /// The right to make one compressor. It counts until it is released.
  final class Permit: Sendable {
    private let compressors: PageCompressors

    fileprivate init(_ compressors: PageCompressors) {
      self.compressors = compressors
    }

    deinit {
      self.compressors.count.withLock { $0 -= 1 }
    }
  }

  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int = 128) {
    self.limit = limit
  }

  /// - Returns: `nil` if there are too many.
  func permit() -> Permit? {
    let isFree = self.count.withLock { count in
      guard count < self.limit else { return false }
      count += 1
      return true
    }
    return isFree ? Permit(self) : nil
  }
}
