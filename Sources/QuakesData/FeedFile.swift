import Dispatch
import Foundation

/// A feed on this machine.
struct FeedFile: Sendable {
  let url: URL

  /// One for all files, so that a disk that hangs takes one thread.
  private static let queue = DispatchQueue(label: "FeedFile")

  /// Differs after each write of the file.
  struct Version: Hashable, Sendable {
    fileprivate let inode: UInt64
    fileprivate let size: Int64
    fileprivate let seconds: Int
    fileprivate let nanoseconds: Int
  }

  /// Reads it on a separate thread, because that waits for a disk.
  ///
  /// - Parameters:
  ///   - limit: The maximum size of the file, in bytes.
  ///   - known: The version that need not be read.
  /// - Returns: `nil` if it has that version.
  /// - Throws: ``RemoteStoreError``.
  func read(
    limit: Int,
    unless known: Version?
  ) async throws -> (data: Data, version: Version)? {
    try await withCheckedThrowingContinuation { continuation in
      Self.queue.async {
        continuation.resume(with: Result { try self.readNow(limit: limit, unless: known) })
      }
    }
  }

  private func readNow(
    limit: Int,
    unless known: Version?
  ) throws -> (data: Data, version: Version)? {
    // Non-blocking, in case it is a pipe.
    let descriptor = open(self.url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw self.unreadable(errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw self.unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw self.unreadable(EISDIR) }
    let version = Version(
      inode: UInt64(status.st_ino),
      size: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec
    )
    guard version != known else { return nil }
    guard version.size <= limit else { throw self.tooLarge(limit) }
    let data: Data
    do {
      data = try handle.read(upToCount: Int(version.size)) ?? Data()
    } catch {
      throw self.unreadable(EIO)
    }
    return (data, version)
  }

  /// - Throws: ``RemoteStoreError``.
  func response(_ data: Data) throws -> RemoteResponse {
    do {
      return try FeedDecoder().decode(RemoteResponse.self, from: data)
    } catch {
      throw RemoteStoreError(
        code: .decodingError,
        message: "The file \(self.url.path) is not a feed of earthquakes, or is incomplete.",
        visitorMessage: "The feed of earthquakes is incomplete. Try again later."
      )
    }
  }

  private func unreadable(_ code: CInt) -> RemoteStoreError {
    RemoteStoreError(
      code: .fileError,
      message: code == ENOENT
        ? "There is no file \(self.url.path). Choose another folder of feeds, or put it there."
        : "The file \(self.url.path) cannot be read. Choose another folder of feeds, or make it "
          + "readable.",
      visitorMessage: code == ENOENT
        ? "There is no file of earthquakes. Try again later."
        : "The file of earthquakes cannot be read. Try again later."
    )
  }

  private func tooLarge(_ limit: Int) -> RemoteStoreError {
    RemoteStoreError(
      code: .fileLimitError,
      message: "The file \(self.url.path) is larger than \(limit) bytes.",
      visitorMessage: "The feed of earthquakes is larger than \(limit) bytes. Try again later."
    )
  }
}
