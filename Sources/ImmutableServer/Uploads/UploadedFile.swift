import HTTPConnections
import ImmutableUI
import Logging
import Pictures

/// A file of a form while it is written to disk. Errors are shown in the form; while too many files are
/// being sent, pages send it again instead.
struct UploadedFile {
  let field: String
  private let limit: Int
  private let store: PictureStore?
  private let client: String
  private let disk: DiskAccess
  private let logger: Logger
  private var upload: PictureUpload?
  private var refusal: Refusal?
  /// The bytes to write next, collected because each write needs a thread.
  private var buffer: [UInt8] = []
  private var count = 0

  private static let bufferLimit = 64 << 10

  /// - Parameters:
  ///   - client: The client that sends it, for its share of the store's uploads.
  ///   - disk: Writes it.
  init(
    field: String,
    limit: Int,
    store: PictureStore?,
    client: String,
    disk: DiskAccess = .shared,
    logger: Logger
  ) {
    self.field = field
    self.limit = limit
    self.store = store
    self.client = client
    self.disk = disk
    self.logger = logger
  }

  mutating func append(_ bytes: [UInt8]) async {
    guard self.refusal == nil else { return }
    self.count += bytes.count
    guard self.count <= self.limit else {
      let message = PictureRefusal.tooLarge(self.limit)
      return await self.refuse(Refusal(.tooLarge, message, fields: [self.field: message]))
    }
    self.buffer += bytes
    if self.buffer.count >= Self.bufferLimit { await self.flush() }
  }

  /// - Returns: `nil` if no file was chosen. The store holds a picture until it is released.
  consuming func finish() async -> Result<Picture, Refusal>? {
    guard self.count > 0 else { return nil }
    if self.refusal == nil { await self.flush() }
    if let refusal = self.refusal { return .failure(refusal) }
    guard let store = self.store, let upload = self.upload else { return nil }
    do {
      let kept = try await store.keep(upload, isHeld: true)
      let field = self.field
      return kept.mapError { problem in
        switch problem {
        case .unknown: Refusal(field: field, PictureRefusal.isNone)
        case .tooManyPixels: Refusal(field: field, PictureRefusal.isTooWide)
        case .undecodable: Refusal(field: field, PictureRefusal.isDamaged)
        }
      }
    } catch {
      return .failure(self.refusal(error))
    }
  }

  private mutating func flush() async {
    guard let store = self.store else {
      return await self.refuse(Refusal(.conflict, "Pictures cannot be stored here."))
    }
    let (bytes, disk) = (self.buffer, self.disk)
    self.buffer = []
    do {
      let upload = try self.upload ?? store.upload(of: self.client)
      self.upload = upload
      try await store.makingRoom { try await disk.run { try upload.write(bytes) } }
    } catch let error as DiskAccess.Exhausted {
      // The answer does not wait for a disk that may hang. The part on disk is removed later.
      self.upload = nil
      await self.refuse(self.refusal(error))
    } catch {
      await self.refuse(self.refusal(error))
    }
  }

  /// The rest of the file is dropped, and the part on disk is removed.
  private mutating func refuse(_ refusal: Refusal) async {
    self.refusal = refusal
    self.buffer = []
    await self.end()
    self.upload = nil
  }

  /// Removes the part on disk.
  func end() async {
    await self.upload?.end()
  }

  private func refusal(_ error: any Error) -> Refusal {
    let code = (error as? PictureStoreError)?.code
    guard code != .clientBusy else {
      let message =
        "Too many pictures are being sent from your network at once. Wait until one has arrived."
      return Refusal(.conflict, message, fields: [self.field: message])
    }
    self.logger.error("A picture cannot be stored", metadata: ["error": "\(error)"])
    if code == .busy || error is DiskAccess.Exhausted {
      let message = "Too many pictures are being sent at once. Try again in a moment."
      return Refusal(.unavailable, message, fields: [self.field: message])
    }
    let message =
      switch code {
      case .full: "There is no room for more pictures. Remove some that are not needed."
      case .diskFull: "The picture could not be saved: the server\u{2019}s disk is full."
      default: "The picture could not be saved. Try again."
      }
    return Refusal(.failure, message, fields: [self.field: message])
  }
}
