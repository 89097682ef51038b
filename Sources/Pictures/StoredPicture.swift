/// A stored picture, open for reading.
public final class StoredPicture: Sendable {
  private let file: PictureFile
  /// The number of its bytes.
  public let count: Int
  public let kind: Picture.Kind

  init(_ file: PictureFile) throws(PictureStoreError) {
    guard let status = file.status else {
      throw PictureStoreError(.notFound, "This is no picture.")
    }
    // Its type is determined by the content, whatever clients claim.
    guard let header = try PictureHeader(file.read) else {
      throw PictureStoreError(.notFound, "This is no picture.")
    }
    self.file = file
    self.count = status.bytes
    self.kind = header.kind
  }

  /// - Returns: The available bytes from an offset, at most `count`.
  /// - Throws: ``PictureStoreError``.
  public func read(_ offset: Int, _ count: Int) throws(PictureStoreError) -> [UInt8] {
    try self.file.read(offset, count)
  }
}
