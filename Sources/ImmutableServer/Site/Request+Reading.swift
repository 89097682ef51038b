import Foundation
import HTTPTypes
import Hummingbird
import ImmutableUI
import NIOCore

extension Request {
  /// - Throws: ``Failure``, 405 with the methods that are allowed.
  func allow(_ methods: HTTPRequest.Method...) throws {
    guard methods.contains(self.method) == false else { return }
    let list = methods.map(\.rawValue).joined(separator: ", ")
    throw Failure(
      status: .methodNotAllowed,
      message: "\(self.method) is not possible here, only \(list).",
      headers: [.allow: list]
    )
  }

  /// Whether whoever asks is a program.
  var wantsJSON: Bool {
    self.uri.path.hasPrefix("/_/") || self.headers[.accept]?.contains("application/json") == true
  }

  /// The window that a post is from, or that a path is of.
  var window: Identifier? {
    if let window = self.headers[.xWindow] { return Identifier(window) }
    let prefix = Paths.windows + "/"
    guard self.uri.path.hasPrefix(prefix) else { return nil }
    return Identifier(self.uri.path.dropFirst(prefix.count).prefix { $0 != "/" })
  }

  /// The fields of a posted form.
  ///
  /// - Throws: ``Failure``: 415 for another type, 413 for too much, 400 for what is no form or does not
  ///   arrive whole.
  func form(limit: Int) async throws -> FormFields {
    let type = self.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type?.filter({ $0 != " " }) == "application/x-www-form-urlencoded" else {
      throw Failure(
        status: .unsupportedMediaType,
        message: "Send the form as application/x-www-form-urlencoded."
      )
    }
    let body = try await self.body(limit: limit)
    guard let query = Query(form: body) else {
      throw Failure(
        status: .badRequest,
        message: "The form is malformed: it has a broken escape, or text that is not UTF-8."
      )
    }
    return FormFields(query)
  }

  /// A JSON body.
  ///
  /// - Throws: ``Failure``: 413 for too much, 400 for what does not decode.
  func json<Value: Decodable>(_ type: Value.Type, limit: Int) async throws -> Value {
    let body = try await self.body(limit: limit)
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      throw Failure(status: .badRequest, message: "The body is not the JSON that belongs here.")
    }
  }

  private func body(limit: Int) async throws -> [UInt8] {
    if let length = self.headers[.contentLength].flatMap(Int.init), length > limit {
      throw Self.tooLarge(limit)
    }
    do {
      let body = try await self.body.collect(upTo: limit)
      return Array(body.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw Self.tooLarge(limit)
    } catch {
      // Its chunks are malformed, or whoever sent it has gone.
      throw Failure(
        status: .badRequest,
        message: "The body is malformed or incomplete.",
        headers: [.connection: "close"]
      )
    }
  }

  private static func tooLarge(_ limit: Int) -> Failure {
    Failure(
      status: .contentTooLarge,
      message: "That is more than \(limit) bytes. Send less.",
      // What was not read must not be taken for the next request.
      headers: [.connection: "close"]
    )
  }
}
