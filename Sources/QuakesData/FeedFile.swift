import Dispatch
import Foundation
import Synchronization

/// A feed on this machine.
struct FeedFile: Sendable {
  let url: URL
  var reader = FeedReader.shared

  /// Differs after each write of the file.
  struct Version: Hashable, Sendable {
    fileprivate let inode: UInt64
    fileprivate let size: Int64
    fileprivate let seconds: Int
    fileprivate let nanoseconds: Int
  }

  /// Reads it.
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
    do {
      return try await self.reader.run { try self.readNow(limit: limit, unless: known) }
    } catch is FeedReader.Exhausted {
      throw RemoteStoreError(
        code: .fileError,
        message: "The file \(self.url.path) cannot be read: earlier reads have not ended. Its disk "
          + "may hang.",
        visitorMessage: Self.unreadable
      )
    }
  }

  private static let unreadable = "The file of earthquakes cannot be read. Try again later."

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
        : Self.unreadable
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

/// Reads files on one thread, because that waits for a disk, which may hang.
final class FeedReader: Sendable {
  static let shared = FeedReader()

  private let limit: Int
  private let queue = DispatchQueue(label: "FeedReader")
  private let count = Atomic(0)

  /// - Parameter limit: The maximum number of reads that wait or are in progress. Nobody waits any
  ///   more for those that a disk has held for long, but they stay until it goes on.
  init(limit: Int = 64) {
    self.limit = limit
  }

  /// - Throws: ``Exhausted`` if too many wait; otherwise what `work` throws.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    defer { self.count.wrappingSubtract(1, ordering: .relaxed) }
    guard self.count.wrappingAdd(1, ordering: .relaxed).newValue <= self.limit else {
      throw Exhausted()
    }
    return try await withCheckedThrowingContinuation { continuation in
      self.queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  /// Too many reads wait.
  struct Exhausted: Error {}
}
