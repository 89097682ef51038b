import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore
import NIOPosix
import Pictures
import PlainText

/// Reads a form with pictures. Texts are held in memory, within the limits of other forms; pictures
/// are written to disk as they arrive.
///
/// An error about a picture is shown in its form, so the rest of the body is read even then.
struct MultipartForm {
  private let windows: WindowGroup
  private let configuration: WebServerConfiguration
  private let path: String
  private let client: Client

  init(
    windows: WindowGroup,
    _ configuration: WebServerConfiguration,
    _ path: String,
    _ client: Client
  ) {
    self.windows = windows
    self.configuration = configuration
    self.path = path
    self.client = client
  }

  /// - Parameters:
  ///   - body: The body of the request.
  ///   - boundary: The text that separates its parts.
  ///   - length: The length of the body, if the client states it.
  /// - Returns: The fields. The store holds the pictures until they are released.
  /// - Throws: `HTTPFailure`: 400 for a malformed body, 413 for too many fields or bytes.
  func fields(
    of body: RequestBody,
    boundary: String,
    length: Int?
  ) async throws -> FormFields {
    let limit = self.configuration.uploadLimit
    guard (length ?? 0) <= limit else { throw HTTPFailure.bodyTooLarge(limit) }
    var form = PartialForm()
    do {
      try await self.read(body, boundary: boundary, into: &form)
    } catch {
      if case .file(let file) = form.part { await file?.end() }
      await self.configuration.pictures?.release(form.pictures, wasRefused: true)
      throw error
    }
    return FormFields(Query(form.items), pictures: form.pictures)
  }

  private func read(
    _ body: RequestBody,
    boundary: String,
    into form: inout PartialForm
  ) async throws {
    let limit = self.configuration.uploadLimit
    var parser = MultipartParser(boundary: boundary)
    var count = 0
    var chunks = body.makeAsyncIterator()
    while let chunk = try await Self.next(&chunks) {
      count += chunk.readableBytes
      guard count <= limit else { throw HTTPFailure.bodyTooLarge(limit) }
      let events: [MultipartParser.Event]
      do {
        events = try parser.events(chunk.readableBytesView)
      } catch {
        throw Self.malformed
      }
      for event in events { try await self.add(event, to: &form) }
    }
    guard parser.isComplete else { throw Self.malformed }
  }

  private static func next(
    _ chunks: inout RequestBody.AsyncIterator
  ) async throws -> ByteBuffer? {
    do {
      return try await chunks.next()
    } catch {
      // The chunks are malformed, or the client has disconnected.
      throw Self.malformed
    }
  }

  private static let malformed = HTTPFailure(
    status: .badRequest,
    message: "The form is malformed or incomplete.",
    // The unread rest must not be taken for the next request.
    headers: [.connection: "close"]
  )

  private func add(_ event: MultipartParser.Event, to form: inout PartialForm) async throws {
    switch event {
    case .part(let name, let isFile):
      form.count += 1
      guard form.count <= self.configuration.fieldLimit else {
        throw HTTPFailure(
          status: .contentTooLarge,
          message: "The form has more than \(self.configuration.fieldLimit) fields. Send fewer.",
          headers: [.connection: "close"]
        )
      }
      try self.count(name.utf8.count, in: &form)
      let name = name.withoutExcessMarks
      form.part = isFile ? .file(self.file(name, of: form)) : .text(name, [])
    case .bytes(let bytes):
      // Taken out, so that adding bytes does not copy those before.
      switch form.part.take() {
      case .text(let name, var text):
        try self.count(bytes.count, in: &form)
        text += bytes
        form.part = .text(name, text)
      case .file(var file):
        await file?.append(bytes)
        form.part = .file(file)
      case nil:
        break
      }
    case .endOfPart:
      switch form.part {
      case .text(let name, let bytes):
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("\0") == false
        else { throw Self.malformed }
        form.items.append(QueryItem(name: name, value: text.withoutExcessMarks))
      case .file(let file?):
        form.pictures[file.field] = await file.finish()
      case .file(nil), nil:
        break
      }
      form.part = nil
    }
  }

  /// Counts bytes of texts and names.
  private func count(_ bytes: Int, in form: inout PartialForm) throws(HTTPFailure) {
    form.textCount += bytes
    guard form.textCount <= self.configuration.bodyLimit else {
      throw .bodyTooLarge(self.configuration.bodyLimit)
    }
  }

  /// - Returns: `nil` for a file that the form does not expect. It is not stored anywhere.
  private func file(_ name: String, of form: PartialForm) -> UploadedFile? {
    // The first field of a form is its name; see the slot of forms.
    let formName = form.items.first { $0.name == FormField.form }?.value ?? ""
    guard form.pictures[name] == nil,
      let limit = self.windows.pictureLimit(at: self.path, form: formName, field: name)
    else { return nil }
    return UploadedFile(
      field: name,
      limit: min(limit, self.configuration.pictureLimit),
      store: self.configuration.pictures,
      client: self.client.network,
      logger: self.configuration.logger
    )
  }
}

/// The part of a form that has been read. Bounded by the limits for texts and fields.
private struct PartialForm {
  enum Part {
    case text(String, [UInt8])
    case file(UploadedFile?)
  }

  var items: [QueryItem] = []
  var pictures: [String: Result<Picture, Refusal>] = [:]
  var part: Part?
  /// The number of parts that have begun.
  var count = 0
  /// The bytes of all texts and names.
  var textCount = 0
}

extension PictureStore {
  /// Releases the pictures of a form, even if its request has been cancelled.
  func release(_ pictures: [String: Result<Picture, Refusal>], wasRefused: Bool) async {
    let kept = pictures.values.compactMap { try? $0.get() }
    guard kept.isEmpty == false else { return }
    await Task { await self.release(kept, wasRefused: wasRefused) }.value
  }
}

extension Request {
  /// The boundary of a form with files; `nil` for any other body.
  var multipartBoundary: String? {
    guard let type = self.headers[.contentType],
      type.prefix(while: { $0 != ";" }).lowercased().filter({ $0 != " " }) == "multipart/form-data",
      let boundary = HeaderParameters(Array(type.utf8)[...])["boundary"]
    else { return nil }
    let isAllowed = boundary.allSatisfy { (0x20...0x7E).contains($0) }
    return (1...70).contains(boundary.count) && isAllowed
      ? String(decoding: boundary, as: UTF8.self) : nil
  }
}
