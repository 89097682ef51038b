import AnimalsData
import HTTPConnections
import HTTPTypes
import Hummingbird
import NIOCore
import Pictures

/// The pictures of animals, for the servers that show them.
struct APIPictures: Sendable {
  static let path = "/animals/api/pictures"
  /// The maximum size of a picture, in bytes.
  static let limit = 8 << 20
  /// The size of the pieces in which an upload is written, in bytes. Each needs a thread.
  private static let pieceLength = 64 << 10

  let store: PictureStore
  /// Returns those of these pictures that an animal has.
  let used: @Sendable (Set<String>) async throws -> Set<String>

  /// Stores a posted picture.
  ///
  /// - Throws: `HTTPFailure`: 415 if it is not a picture, 413 if it is too large, 503 if there is no room.
  func keep(_ request: Request) async throws -> Response {
    let type = request.headers[.contentType]?.lowercased() ?? ""
    guard Picture.Kind(rawValue: type) != nil else {
      let kinds = Picture.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPFailure(
        status: .unsupportedMediaType,
        message: "Send the bytes of a picture, with its Content-Type: one of \(kinds)."
      )
    }
    guard (request.contentLength ?? 0) <= Self.limit else {
      throw HTTPFailure.bodyTooLarge(Self.limit)
    }
    let upload = try self.store.upload()
    var (count, buffer) = (0, [UInt8]())
    var chunks = request.body.makeAsyncIterator()
    while let chunk = try await Self.next(&chunks) {
      count += chunk.readableBytes
      guard count <= Self.limit else { throw HTTPFailure.bodyTooLarge(Self.limit) }
      buffer += chunk.readableBytesView
      guard buffer.count >= Self.pieceLength else { continue }
      try await self.write(buffer, to: upload)
      buffer = []
    }
    try await self.write(buffer, to: upload)
    switch try await self.store.keep(upload) {
    case .success(let picture):
      return Response(status: .ok, json: ["picture": picture.description])
    case .failure:
      throw HTTPFailure(
        status: .unsupportedMediaType,
        message: "This is not a picture that browsers show, or it has too many pixels."
      )
    }
  }

  private func write(_ bytes: [UInt8], to upload: PictureUpload) async throws {
    guard bytes.isEmpty == false else { return }
    try await self.store.makingRoom {
      try await DiskAccess.shared.run { try upload.write(bytes) }
    }
  }

  private static func next(_ chunks: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
    do {
      return try await chunks.next()
    } catch {
      throw HTTPFailure.incompleteBody
    }
  }

  /// The bytes of a picture, which never change.
  ///
  /// - Throws: `HTTPFailure`, 404.
  func picture(_ hash: Substring) async throws -> Response {
    let picture = try await self.open(String(hash))
    return Response(
      status: .ok,
      headers: [.contentType: picture.kind.rawValue],
      body: .pieces(of: picture.count) { try picture.read($0, $1) }
    )
  }

  private func open(_ hash: String) async throws -> StoredPicture {
    do {
      return try await DiskAccess.shared.run { try self.store.open(hash) }
    } catch let error as PictureStoreError where error.code == .notFound {
      throw HTTPFailure(status: .notFound, message: "There is no such picture.")
    }
  }

  /// Checks that the server has the pictures that a request sets on animals.
  ///
  /// - Throws: `HTTPFailure`, 422.
  func check(_ request: RemoteRequest) async throws {
    for (index, mutation) in (request.mutation ?? []).enumerated() {
      guard case .pictureAnimal(_, let text?) = mutation, let picture = Picture(text) else {
        continue
      }
      do {
        _ = try await self.open(picture.hash)
      } catch is HTTPFailure {
        throw HTTPFailure(
          status: .unprocessableContent,
          message: "mutation[\(index)].pictureAnimal has a picture that is not here. Post it to "
            + "\(Self.path) first."
        )
      }
    }
  }
}

extension HTTPFailure {
  init(_ error: PictureStoreError) {
    switch error.code {
    case .busy, .clientBusy, .full, .diskFull:
      self.init(
        status: .serviceUnavailable,
        message: "There is no room for this picture at the moment. Try again later.",
        headers: [.retryAfter: "10"],
        details: error.description
      )
    case .notFound, .inUse, .originAway, .inputOutput:
      self.init(
        status: .internalServerError,
        message: "The picture could not be saved or read. Try again later.",
        details: error.description
      )
    }
  }
}
