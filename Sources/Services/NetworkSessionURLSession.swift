public import Foundation

/// The part of `URLSession` that a ``NetworkSession`` uses, so that tests can replace it.
public protocol NetworkSessionURLSession: Sendable {
  /// - Returns: The body and the head of the response.
  /// - Throws: An error if there is no response.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)

  /// - Parameter limit: The maximum size of the body, in bytes.
  /// - Returns: The body and the head of the response.
  /// - Throws: ``BodyLimitError`` as soon as the body exceeds the limit; an error if there is no
  ///   response.
  func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse)

  /// Receives a response as it arrives.
  ///
  /// - Parameters:
  ///   - request: A request without a body. Its timeout is how long the server may send nothing.
  ///   - head: Receives the head of the response. If it throws, nothing else is received.
  ///   - chunk: Receives each part of the body, and the next one when it returns.
  /// - Throws: `URLError` if there is no response, or it is incomplete; an error that `head` or
  ///   `chunk` throws.
  func stream(
    _ request: URLRequest,
    head: (URLResponse) async throws -> Void,
    chunk: (Data) async throws -> Void
  ) async throws
}

extension NetworkSessionURLSession {
  public func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse) {
    let (data, response) = try await self.data(for: request)
    guard data.count <= limit else { throw BodyLimitError(limit: limit) }
    return (data, response)
  }

  public func stream(
    _ request: URLRequest,
    head: (URLResponse) async throws -> Void,
    chunk: (Data) async throws -> Void
  ) async throws {
    let (data, response) = try await self.data(for: request)
    try await head(response)
    try await chunk(data)
  }
}

/// The error for a body that is too large.
public struct BodyLimitError: Error {
  public let limit: Int

  public init(limit: Int) {
    self.limit = limit
  }
}
