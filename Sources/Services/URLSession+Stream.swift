import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

extension URLSession {
  /// The maximum time to connect, in seconds, unless the request sets a shorter one.
  private static let connectTimeout: TimeInterval = 10

  /// It does not use this session, because on Linux a `URLSession` keeps a core busy until a
  /// response ends. Nothing is stored, and no redirects are followed, so that a token goes to no
  /// other server.
  public func stream(
    _ request: URLRequest,
    head: (URLResponse) async throws -> Void,
    chunk: (Data) async throws -> Void
  ) async throws {
    let idle = request.timeoutInterval
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.httpVersion = .http1Only
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(min(idle, Self.connectTimeout)),
      read: .seconds(idle)
    )
    let client = HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
      configuration: configuration
    )
    do {
      try await client.stream(request, head: head, chunk: chunk)
    } catch {
      try? await client.shutdown()
      try Task.checkCancellation()
      throw URLError(streaming: error) ?? error
    }
    try await client.shutdown()
  }
}

extension TimeAmount {
  fileprivate static func seconds(_ seconds: TimeInterval) -> TimeAmount {
    .milliseconds(Int64(seconds * 1_000))
  }
}

extension HTTPClient {
  fileprivate func stream(
    _ request: URLRequest,
    head: (URLResponse) async throws -> Void,
    chunk: (Data) async throws -> Void
  ) async throws {
    guard let url = request.url else { throw URLError(.badURL) }
    var own = HTTPClientRequest(url: url.absoluteString)
    for (name, value) in request.allHTTPHeaderFields ?? [:] {
      own.headers.add(name: name, value: value)
    }
    let response = try await self.execute(own, deadline: .distantFuture)
    let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    guard
      let foundation = HTTPURLResponse(
        url: url,
        statusCode: Int(response.status.code),
        httpVersion: "\(response.version)",
        headerFields: fields
      )
    else { throw URLError(.badServerResponse) }
    try await head(foundation)
    for try await buffer in response.body {
      try await chunk(Data(buffer.readableBytesView))
    }
  }
}

extension URLError {
  /// Converts a client's error for a ``NetworkSession``; `nil` for other errors.
  fileprivate init?(streaming error: any Error) {
    switch error {
    case let error as HTTPClientError: self.init(Self.code(of: error))
    case let error as NIOConnectionError:
      self.init(error.connectionErrors.isEmpty ? .cannotFindHost : .cannotConnectToHost)
    case is ChannelError, is IOError: self.init(.networkConnectionLost)
    default: return nil
    }
  }

  private static func code(of error: HTTPClientError) -> Code {
    switch error {
    case .connectTimeout, .readTimeout, .deadlineExceeded, .tlsHandshakeTimeout: .timedOut
    case .invalidURL, .emptyScheme, .emptyHost: .unsupportedURL
    case .cancelled: .cancelled
    default: .networkConnectionLost
    }
  }
}
