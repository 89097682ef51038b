import Foundation
import Synchronization

/// A picture that arrives piece by piece, in its own file. The file is removed unless it is kept.
public final class PictureUpload: Sendable {
  private struct Contents {
    /// `nil` for a file that is not kept unchanged.
    var hasher: ContentHasher?
    var count = 0
    var isKept = false
  }

  let path: String
  private let file: PictureFile
  private let client: String?
  private let store: PictureStore
  private let contents = Mutex(Contents())

  init(_ file: PictureFile, path: String, of client: String?, in store: PictureStore) {
    self.file = file
    self.path = path
    self.client = client
    self.store = store
  }

  deinit {
    let (count, isKept) = self.contents.withLock { ($0.count, $0.isKept) }
    if isKept == false { unlink(self.path) }
    self.store.didEnd(isKept ? 0 : count, of: self.client)
  }

  /// The number of bytes so far.
  public var count: Int {
    self.contents.withLock { $0.count }
  }

  /// Appends bytes.
  ///
  /// - Throws: ``PictureStoreError``: `full`, or an error of the disk. The upload cannot be kept.
  public func write(_ bytes: [UInt8]) throws(PictureStoreError) {
    try self.store.reserve(bytes.count)
    self.contents.withLock { contents in
      contents.count += bytes.count
      contents.hasher?.update(bytes)
    }
    try self.file.write(bytes)
  }

  func header() throws(PictureStoreError) -> PictureHeader? {
    try PictureHeader(self.file.read)
  }

  func content(_ kind: Picture.Kind) throws(PictureStoreError) -> PictureContent? {
    try PictureContent(kind, self.file.read)
  }

  func copy(_ content: PictureContent, from other: PictureUpload) throws(PictureStoreError) {
    self.contents.withLock { $0.hasher = ContentHasher() }
    for part in content.parts {
      switch part {
      case .bytes(let bytes):
        try self.write(bytes)
      case .range(let range):
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 64 << 10) {
          let count = min(64 << 10, range.upperBound - start)
          try self.write(try other.file.read(start, count))
        }
      }
    }
  }

  /// The hash of the copied bytes.
  func finish() -> String {
    self.contents.withLock { $0.hasher?.finalize() } ?? ""
  }

  func synchronize() throws(PictureStoreError) {
    try self.file.synchronize()
  }

  func didKeep() {
    self.contents.withLock { $0.isKept = true }
  }
}
