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

  /// - Returns: The head of the response, and its body as it arrives.
  /// - Throws: An error if there is no response.
  func chunks(
    for request: URLRequest
  ) async throws -> (URLResponse, AsyncThrowingStream<Data, any Error>)
}

extension NetworkSessionURLSession {
  public func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse) {
    let (data, response) = try await self.data(for: request)
    guard data.count <= limit else { throw BodyLimitError(limit: limit) }
    return (data, response)
  }

  public func chunks(
    for request: URLRequest
  ) async throws -> (URLResponse, AsyncThrowingStream<Data, any Error>) {
    let (data, response) = try await self.data(for: request)
    let (chunks, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    continuation.yield(data)
    continuation.finish()
    return (response, chunks)
  }
}

/// The error for a body that is too large.
public struct BodyLimitError: Error {
  public let limit: Int

  public init(limit: Int) {
    self.limit = limit
  }
}
