public import Foundation

/// What a ``NetworkSession`` needs of a `URLSession`, so that tests can give it another.
public protocol NetworkSessionURLSession: Sendable {
  /// - Returns: The body and the head of the response.
  /// - Throws: When there is no response.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)

  /// - Parameter limit: The most that the body may have, in bytes.
  /// - Returns: The body and the head of the response.
  /// - Throws: ``BodyLimitError``, as soon as the body has more; when there is no response.
  func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse)
}

extension NetworkSessionURLSession {
  public func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse) {
    let (data, response) = try await self.data(for: request)
    guard data.count <= limit else { throw BodyLimitError(limit: limit) }
    return (data, response)
  }
}

/// A body has more bytes than it may.
public struct BodyLimitError: Error {
  public let limit: Int

  public init(limit: Int) {
    self.limit = limit
  }
}
