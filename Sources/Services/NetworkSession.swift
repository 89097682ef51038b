public import Foundation
import PlainText

#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif

/// Fetches and decodes values from a server.
///
/// ```swift
/// let session = NetworkSession(urlSession: URLSession.withTimeouts())
/// let response: RemoteResponse = try await session.json(for: request, from: JSONDecoder())
/// ```
///
/// Source: the guide, chapter QuakesDataClient, module Services.
public struct NetworkSession<URLSession>: Sendable where URLSession: NetworkSessionURLSession {
  let urlSession: URLSession
  private let bodyLimit: Int

  /// - Parameters:
  ///   - urlSession: Does the networking. It, or the request, determines the timeouts.
  ///   - bodyLimit: The maximum size of a response's body, in bytes; 16 MB by default.
  public init(urlSession: URLSession, bodyLimit: Int = 16 * 1024 * 1024) {
    self.urlSession = urlSession
    self.bodyLimit = bodyLimit
  }
}

extension NetworkSession {
  /// Requests a value.
  ///
  /// - Throws: ``NetworkSessionError``; `CancellationError` if the task is cancelled.
  public func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    try self.value(in: try await self.response(to: request), to: request, from: decoder)
  }

  /// Requests a value that may not have changed, with a request that only reads.
  ///
  /// ```swift
  /// switch try await session.json(for: request, from: JSONDecoder(), unless: validators) {
  /// case .notModified: break
  /// case .value(let value, let newer): (self.value, validators) = (value, newer)
  /// }
  /// ```
  ///
  /// - Parameter validators: The validators of the known value; `nil` makes the request
  ///   unconditional.
  /// - Throws: ``NetworkSessionError``; `CancellationError` if the task is cancelled.
  public func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder,
    unless validators: Validators?
  ) async throws -> ConditionalResponse<T> where T: Decodable {
    var request = request
    request.setValidators(validators)
    let answer = try await self.response(to: request)
    if validators != nil, answer.head.statusCode == 304 { return .notModified }
    let value: T = try self.value(in: answer, to: request, from: decoder)
    return .value(value, Validators(answer.head))
  }

  /// Requests bytes, piece by piece.
  ///
  /// - Parameters:
  ///   - request: A request without a body. Its timeout is how long the server may send nothing.
  ///   - body: Receives each piece, and the next one when it returns.
  /// - Throws: ``NetworkSessionError``; `CancellationError` if the task is cancelled; an error that
  ///   `body` throws.
  public func bytes(
    for request: URLRequest,
    _ body: (Data) async throws -> Void
  ) async throws {
    let limit = self.bodyLimit
    var count = 0
    try await self.stream(request) { chunk in
      count += chunk.count
      guard count <= limit else { throw BodyLimitError(limit: limit) }
      try await body(chunk)
    }
  }

  /// Receives a successful response as it arrives.
  func stream(
    _ request: URLRequest,
    head: (HTTPURLResponse) throws -> Void = { _ in },
    chunk: (Data) async throws -> Void
  ) async throws {
    try await self.reaching(request) {
      try await self.urlSession.stream(request) { response in
        guard let response = response as? HTTPURLResponse else { throw self.noHTTP(request) }
        guard response.statusCode == 200 else { throw Self.Error(response: response, data: Data()) }
        try head(response)
      } chunk: { data in
        try await chunk(data)
      }
    }
  }

  private struct Answer {
    let head: HTTPURLResponse
    let body: Data
  }

  private func response(to request: URLRequest) async throws -> Answer {
    let (data, response) = try await self.reaching(request) {
      try await self.urlSession.data(for: request, limit: self.bodyLimit)
    }
    guard let response = response as? HTTPURLResponse else { throw self.noHTTP(request) }
    return Answer(head: response, body: data)
  }

  private func value<T>(
    in answer: Answer,
    to request: URLRequest,
    from decoder: JSONDecoder
  ) throws -> T where T: Decodable {
    guard (200...299).contains(answer.head.statusCode) else {
      throw Self.Error(response: answer.head, data: answer.body)
    }
    let type = answer.head.mediaType
    guard Self.isJSON(type) else { throw self.wrongType(type, "JSON", request) }
    do {
      if let problem = answer.body.problemAsJSON { throw problem }
      return try decoder.decode(T.self, from: answer.body)
    } catch {
      throw Self.Error(
        code: .decodingError,
        message: "The answer of the \(request.place) is not what was expected: "
          + Self.description(of: error),
        underlying: error
      )
    }
  }

  private func noHTTP(_ request: URLRequest) -> Self.Error {
    Self.Error(
      code: .statusCodeError,
      message: "The \(request.place) did not answer in HTTP. Check its address."
    )
  }

  func wrongType(_ type: String?, _ expected: String, _ request: URLRequest) -> Self.Error {
    Self.Error(
      code: .mimeTypeError,
      message: "The \(request.place) answered \(Self.name(ofType: type)) instead of \(expected). "
        + "Check its address."
    )
  }

  /// Runs a part of the networking, and converts its errors.
  private func reaching<Value>(
    _ request: URLRequest,
    _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch let error as BodyLimitError {
      throw Self.Error(
        code: .bodyLimitError,
        message: "The answer of the \(request.place) is larger than \(error.limit) bytes.",
        underlying: error
      )
    } catch let error as URLError {
      guard error.code != .cancelled else { throw CancellationError() }
      throw Self.Error(
        code: .connectionError,
        message: error.code == .timedOut
          ? "The \(request.place) did not answer in time. Try again later."
          : "The \(request.place) could not be reached: \(Self.reason(error)).",
        underlying: error
      )
    }
  }
}

// Parts of error messages.
extension NetworkSession {
  private static func isJSON(_ type: String?) -> Bool {
    guard let type else { return false }
    return type == "application/json" || type.hasSuffix("+json")
  }

  private static func name(ofType type: String?) -> String {
    switch type {
    case nil: "something without a type"
    case "text/html": "HTML"
    case "text/plain": "plain text"
    case let type?: type
    }
  }

  private static func reason(_ error: URLError) -> String {
    switch error.code {
    case .cannotConnectToHost: return "nothing listens there"
    case .cannotFindHost, .dnsLookupFailed: return "there is no such host"
    case .networkConnectionLost: return "the connection was lost"
    case .badServerResponse, .cannotParseResponse: return "its answer is not HTTP"
    case .cannotDecodeContentData: return "its answer could not be decompressed"
    case .secureConnectionFailed: return "no secure connection could be made"
    case .httpTooManyRedirects: return "too many HTTP redirects"
    case .unsupportedURL, .badURL: return "its address is not an HTTP address"
    default:
      let description = error.localizedDescription
      // If it has no text for the error, Foundation gives only a type's name and a number.
      guard description.contains("Error") == false else { return "the connection has failed" }
      return description.hasSuffix(".") ? String(description.dropLast()) : description
    }
  }

  private static func description(of error: any Swift.Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context)?:
      "\(Self.path(context.codingPath)) has no “\(key.stringValue)”."
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
      "\(Self.path(context.codingPath)) has an unexpected type."
    case .dataCorrupted(let context)? where context.codingPath.isEmpty:
      "it is not JSON, or incomplete."
    case .dataCorrupted(let context)?:
      "\(Self.path(context.codingPath)) has a value that is not known."
    default:
      error.localizedDescription
    }
  }

  private static func path(_ codingPath: [any CodingKey]) -> String {
    guard codingPath.isEmpty == false else { return "it" }
    return codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
      .joined(separator: ".")
  }
}

extension URLRequest {
  /// The server, for an error message. Never the query, which may contain private data.
  var place: String {
    guard let url = self.url, let host = url.host() else { return "server" }
    return "server \(host)" + (url.port.map { ":\($0)" } ?? "")
  }
}

extension HTTPURLResponse {
  /// In lower case, without parameters. `mimeType` would be a guess if the header is missing.
  var mediaType: String? {
    self.value(forHTTPHeaderField: "Content-Type")?
      .prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}
