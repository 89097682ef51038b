public import Foundation

/// New files that only their owner can read.
public enum OwnerFile {
  /// Finds out whether files can be made, before the work whose results they will have. There are none
  /// afterwards, so nothing is left if that work is interrupted.
  ///
  /// - Throws: ``RecordingError`` if one of them cannot be made, already exists, or is named twice.
  public static func check(_ urls: [URL]) throws {
    var made: [URL] = []
    defer { for url in made { try? FileManager.default.removeItem(at: url) } }
    for url in urls {
      _ = try self.make(url)
      made.append(url)
    }
  }

  /// - Throws: ``RecordingError`` if the file cannot be made, or already exists.
  static func make(_ url: URL) throws -> FileHandle {
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
  public static func write(_ data: Data, to url: URL) throws {
    let file = try self.make(url)
    do {
      try file.write(contentsOf: data)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw RecordingError(error, writing: url)
    }
  }
}

/// A file without a name, which disappears with the process.
struct UnnamedFile: Sendable {
  /// The path at which this process, and the processes that it starts, can read it.
  let url: URL
  private let file: FileHandle

  /// - Throws: ``RecordingError`` if it cannot be made.
  init() throws {
    let temporary = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).opened")
    self.file = try OwnerFile.make(temporary)
    try FileManager.default.removeItem(at: temporary)
    self.url = URL(filePath: "/proc/\(getpid())/fd/\(self.file.fileDescriptor)")
  }

  /// - Throws: ``RecordingError`` if the write fails.
  func append(_ data: Data) throws {
    do {
      try self.file.write(contentsOf: data)
    } catch {
      throw RecordingError(error, writing: FileManager.default.temporaryDirectory)
    }
  }

  /// Replaces the whole content.
  ///
  /// - Throws: ``RecordingError`` if the write fails.
  func write(_ data: Data) throws {
    try self.file.truncate(atOffset: 0)
    try self.append(data)
  }
}
