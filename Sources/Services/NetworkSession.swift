public import Foundation

#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif

/// What a ``NetworkSession`` needs of a `URLSession`, so that tests can give it another.
public protocol NetworkSessionURLSession: Sendable {
  /// - Returns: The body and the head of the response.
  /// - Throws: When there is no response.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)
}

extension URLSession: NetworkSessionURLSession {
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await self.data(for: request, delegate: nil)
  }
}

/// Fetches and decodes values from a server.
///
/// ```swift
/// let session = NetworkSession(urlSession: URLSession.shared)
/// let response: RemoteResponse = try await session.json(for: request, from: JSONDecoder())
/// ```
///
/// Source: the guide, chapter QuakesDataClient, module Services.
public struct NetworkSession<URLSession>: Sendable where URLSession: NetworkSessionURLSession {
  private let urlSession: URLSession

  public init(urlSession: URLSession) {
    self.urlSession = urlSession
  }
}

extension NetworkSession {
  /// Why there is no value.
  public struct Error: Swift.Error {
    package enum Code: Hashable, Sendable {
      /// The response has a status outside 200 to 299, or none.
      case statusCodeError
      /// The response is of another MIME type.
      case mimeTypeError
      /// The body is not what was expected.
      case decodingError
    }

    package let code: Self.Code
    /// A sentence for whoever waits.
    package let message: String
    /// What caused it.
    package let underlying: (any Swift.Error)?
  }
}

extension NetworkSession.Error: LocalizedError {
  public var errorDescription: String? { self.message }
}
