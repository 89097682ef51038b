import Foundation
import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import PlainText

extension Request {
  /// Whether the client is a program rather than a browser that shows the response.
  var wantsJSON: Bool {
    self.uri.path.hasPrefix("/_/") || self.headers[.accept]?.contains("application/json") == true
  }

  /// Whether the browser shows the answer in a frame.
  ///
  /// Source: W3C Fetch Metadata Request Headers.
  var isFramed: Bool {
    self.headers[.secFetchDest] == "iframe"
  }

  /// The window that a request is from, or that its path names.
  var window: Identifier? {
    if let window = self.headers[.xWindow] { return Identifier(window) }
    let prefix = Paths.windows + "/"
    guard self.uri.path.hasPrefix(prefix) else { return nil }
    return Identifier(self.uri.path.dropFirst(prefix.count).prefix { $0 != "/" })
  }

  /// The fields of a posted form.
  ///
  /// - Parameters:
  ///   - limit: The maximum size of the body, in bytes.
  ///   - fieldLimit: The maximum number of fields. Every field takes memory, even one without a
  ///     name.
  /// - Throws: `HTTPFailure`: 415 for another content type or a content coding, 400 for a malformed
  ///   form, 413 for too many fields or bytes.
  func form(limit: Int, fieldLimit: Int) async throws -> FormFields {
    let type = self.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type?.filter({ $0 != " " }) == "application/x-www-form-urlencoded" else {
      throw HTTPFailure(
        status: .unsupportedMediaType,
        message: "Send the form as application/x-www-form-urlencoded."
      )
    }
    let bytes = Array(try await self.body(limit: limit).readableBytesView)
    guard let query = Query(form: bytes) else {
      throw HTTPFailure(
        status: .badRequest,
        message: "The form is malformed: it has a broken escape, or text that is not UTF-8."
      )
    }
    guard query.items.count <= fieldLimit else {
      throw HTTPFailure(
        status: .contentTooLarge,
        message: "The form has more than \(fieldLimit) fields. Send fewer."
      )
    }
    return FormFields(query)
  }

  /// Whether the browser has the content with an entity tag.
  func knows(_ entityTag: String) -> Bool {
    let known = self.headers[.ifNoneMatch]?.split(separator: ",").map { $0.filter { $0 != " " } }
    return known?.contains { $0 == entityTag || $0 == "W/\(entityTag)" || $0 == "*" } == true
  }

  /// A JSON body.
  ///
  /// - Throws: `HTTPFailure`: 400 if it cannot be decoded, 413 for too many bytes, 415 for a content
  ///   coding.
  func json<Value: Decodable>(_ type: Value.Type, limit: Int) async throws -> Value {
    let body = Data(try await self.body(limit: limit).readableBytesView)
    guard body.problemAsJSON == nil,
      let value = try? JSONDecoder().decode(type, from: body)
    else {
      throw HTTPFailure(status: .badRequest, message: "The body is not the JSON that belongs here.")
    }
    return value
  }
}
