/// A picture that is kept, open to be read.
public final class StoredPicture: Sendable {
  private let file: PictureFile
  /// The number of its bytes.
  public let count: Int
  public let kind: Picture.Kind

  init(_ file: PictureFile) throws(PictureStoreError) {
    guard let status = file.status else {
      throw PictureStoreError(.notFound, "This is no picture.")
    }
    // Its type is what it is, whatever somebody says that it is.
    let header: PictureHeader?
    do {
      header = try PictureHeader(file.read)
    } catch let error as PictureStoreError {
      throw error
    } catch {
      throw PictureStoreError(.inputOutput, "\(error)")
    }
    guard let header else { throw PictureStoreError(.notFound, "This is no picture.") }
    self.file = file
    self.count = status.bytes
    self.kind = header.kind
  }

  /// - Returns: As many bytes as there are from an offset, and no more than `count`.
  /// - Throws: ``PictureStoreError``.
  public func read(_ offset: Int, _ count: Int) throws(PictureStoreError) -> [UInt8] {
    try self.file.read(offset, count)
  }
}
