import Dispatch
import Foundation
import Services
import Synchronization

/// A feed on this machine.
struct FeedFile: Sendable {
  let url: URL
  var reader = FeedReader.shared

  /// Reads and decodes it, like a server's feed.
  ///
  /// - Parameters:
  ///   - limit: The maximum size of the file, in bytes.
  ///   - decoder: Decodes it.
  ///   - known: The validators of the content that is known. They differ after each write of the file.
  /// - Throws: ``RemoteStoreError``.
  func response(
    limit: Int,
    from decoder: FeedDecoder,
    unless known: Validators?
  ) async throws -> ConditionalResponse<RemoteResponse> {
    switch try await self.read(limit: limit, unless: known) {
    case .notModified: .notModified
    case .value(let data, let validators): .value(try self.response(data, decoder), validators)
    }
  }

  func read(limit: Int, unless known: Validators?) async throws -> ConditionalResponse<Data> {
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

  private func readNow(limit: Int, unless known: Validators?) throws -> ConditionalResponse<Data> {
    // Non-blocking, in case it is a pipe.
    let descriptor = open(self.url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw self.unreadable(errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw self.unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw self.unreadable(EISDIR) }
    let (written, size) = (status.st_mtim, Int(status.st_size))
    let version = "\(status.st_ino) \(size) \(written.tv_sec) \(written.tv_nsec)"
    guard version != known?.entityTag else { return .notModified }
    guard size <= limit else { throw self.tooLarge(limit) }
    do {
      let data = try handle.read(upToCount: size) ?? Data()
      return .value(data, Validators(entityTag: version, lastModified: nil))
    } catch {
      throw self.unreadable(EIO)
    }
  }

  private func response(_ data: Data, _ decoder: FeedDecoder) throws -> RemoteResponse {
    do {
      return try decoder.decode(RemoteResponse.self, from: data)
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
