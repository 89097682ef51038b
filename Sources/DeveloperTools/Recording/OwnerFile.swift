public import Foundation

/// New files that only their owner can read.
public enum OwnerFile {
  /// - Throws: ``RecordingError`` if the file cannot be made, or already exists.
  @discardableResult public static func make(_ url: URL) throws -> FileHandle {
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RecordingError(
        errno == EEXIST
          ? "\(url.path) already exists. Choose another name, or remove it."
          : "\(url.path) cannot be made: \(String(cString: strerror(errno))).")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Makes a file with its content. If it cannot be written, there is no file.
  ///
  /// - Throws: ``RecordingError`` if the file cannot be made or written, or already exists.
  static func write(_ data: Data, to url: URL) throws {
    let file = try self.make(url)
    do {
      try file.write(contentsOf: data)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw RecordingError(error, writing: url)
    }
  }
}
