import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import PlainText

/// Only the timeouts of the session are used. On Linux a `URLSession` keeps a core busy until a
/// response ends, enforces no total timeout, and decompresses faster than its delegate reads; a
/// delegate that makes it wait can stop it for ever. So an `HTTPClient` does the networking. It
/// stores nothing.
extension URLSession: NetworkSessionURLSession {
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await self.data(for: request, limit: .max)
  }

  /// Follows up to five redirects. The token goes to no other server.
  public func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse) {
    let idle = self.idle(of: request)
    let total = self.configuration.timeoutIntervalForResource
    return try await withThrowingTaskGroup(of: (Data, URLResponse).self) { group in
      group.addTask {
        var configuration = HTTPClient.Configuration(idle: idle)
        configuration.decompression = .enabled(limit: .size(limit))
        return try await HTTPClient.with(configuration) { client in
          try await client.data(for: request, limit: limit)
        }
      }
      group.addTask {
        try await Task.sleep(for: .seconds(total))
        throw URLError(.timedOut)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  /// Follows no redirects, so that the token goes to no other server.
  public func stream(
    _ request: URLRequest,
    head: (URLResponse) async throws -> Void,
    chunk: (Data) async throws -> Void
  ) async throws {
    var configuration = HTTPClient.Configuration(idle: self.idle(of: request))
    configuration.redirectConfiguration = .disallow
    try await HTTPClient.with(configuration) { client in
      try await client.stream(request, head: head, chunk: chunk)
    }
  }
}

extension URLSession {
  /// How long the server may send nothing, in seconds. A request without a timeout of its own has 60.
  fileprivate func idle(of request: URLRequest) -> TimeInterval {
    request.timeoutInterval == 60
      ? self.configuration.timeoutIntervalForRequest : request.timeoutInterval
  }
}

extension HTTPClient.Configuration {
  /// The maximum time to connect, in seconds, unless the server may be silent only for a shorter one.
  private static let connectTimeout: TimeInterval = 10

  /// - Parameter idle: How long a server may send nothing, in seconds.
  fileprivate init(idle: TimeInterval) {
    self.init()
    self.httpVersion = .http1Only
    self.connectionPool.retryConnectionEstablishment = false
    self.timeout = Timeout(
      connect: .seconds(min(idle, Self.connectTimeout)),
      read: .seconds(idle)
    )
    self.http1_1ConnectionDebugInitializer = { AnswerCheck.add(to: $0) }
  }
}

extension TimeAmount {
  fileprivate static func seconds(_ seconds: TimeInterval) -> TimeAmount {
    .milliseconds(Int64(seconds * 1_000))
  }
}

extension HTTPClient {
  fileprivate static func with<Value>(
    _ configuration: Configuration,
    _ work: (HTTPClient) async throws -> Value
  ) async throws -> Value {
    let client = HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
      configuration: configuration
    )
    do {
      let value = try await work(client)
      try await client.shutdown()
      return value
    } catch {
      // A connection that is being made would hold it up.
      _Concurrency.Task { try? await client.shutdown() }
      throw error
    }
  }

  fileprivate func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse) {
    var head: HTTPURLResponse?
    var data = Data()
    do {
      try await self.stream(request) { response in
        guard response.expectedContentLength <= Int64(limit) else {
          throw BodyLimitError(limit: limit)
        }
        head = response
      } chunk: { chunk in
        guard data.count + chunk.count <= limit else { throw BodyLimitError(limit: limit) }
        data.append(chunk)
      }
    } catch let error as URLError where error.code == .dataLengthExceedsMaximum {
      throw BodyLimitError(limit: limit)
    }
    guard let head else { throw URLError(.badServerResponse) }
    return (data, head)
  }

  /// - Throws: `URLError` if there is no response, or it is incomplete; `CancellationError` if the
  ///   task is cancelled; an error of `head` or `chunk`.
  fileprivate func stream(
    _ request: URLRequest,
    head: (HTTPURLResponse) async throws -> Void,
    chunk: (Data) async throws -> Void
  ) async throws {
    guard let url = request.url else { throw URLError(.badURL) }
    guard url.isHTTP else { throw URLError(.unsupportedURL) }
    var own = HTTPClientRequest(url: url.absoluteString)
    own.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
    for (name, value) in request.allHTTPHeaderFields ?? [:] {
      own.headers.add(name: name, value: value)
    }
    // Some servers refuse requests of unnamed programs.
    if own.headers.contains(name: "User-Agent") == false {
      own.headers.add(name: "User-Agent", value: "ImmutableDataWeb")
    }
    own.body = request.httpBody.map { .bytes($0) }
    let response: HTTPClientResponse
    do {
      response = try await self.execute(own, deadline: .distantFuture)
    } catch {
      throw URLError.networking(error, request, isConnecting: true)
    }
    guard response.headers.contains(where: { $0.value.hasTooManyMarks }) == false else {
      throw URLError(.badServerResponse)
    }
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
    // It has no body, though it may name an encoding, in which nothing is an error.
    guard response.status != .notModified else { return }
    var body = response.body.makeAsyncIterator()
    while true {
      let buffer: ByteBuffer?
      do {
        buffer = try await body.next()
      } catch {
        throw URLError.networking(error, request, isConnecting: false)
      }
      // The body of a cancelled task just ends.
      try _Concurrency.Task.checkCancellation()
      guard let buffer else { return }
      try await chunk(Data(buffer.readableBytesView))
    }
  }
}

extension URLError {
  /// Converts a client's error for a ``NetworkSession``.
  ///
  /// - Parameter isConnecting: Whether there was no response yet.
  fileprivate static func networking(
    _ error: any Error,
    _ request: URLRequest,
    isConnecting: Bool
  ) -> any Error {
    if Task.isCancelled { return CancellationError() }
    // Errors of TLS have several types.
    let isSecure = isConnecting && request.url?.scheme == "https"
    let code = Self.code(of: error) ?? (isSecure ? .secureConnectionFailed : .networkConnectionLost)
    var details: [String: Any] = [NSUnderlyingErrorKey: error]
    details[NSURLErrorFailingURLErrorKey] = request.url
    return URLError(code, userInfo: details)
  }

  private static func code(of error: any Error) -> Code? {
    switch error {
    case let error as HTTPClientError: Self.code(ofClient: error)
    case let error as NIOConnectionError:
      error.connectionErrors.isEmpty ? .cannotFindHost : .cannotConnectToHost
    case is HTTPParserError: .cannotParseResponse
    case NIOHTTPDecompression.DecompressionError.limit: .dataLengthExceedsMaximum
    case is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError:
      .cannotDecodeContentData
    case let error as IOError
    where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
      .cannotConnectToHost
    case is ChannelError, is IOError: .networkConnectionLost
    default: nil
    }
  }

  private static func code(ofClient error: HTTPClientError) -> Code {
    switch error {
    case .connectTimeout, .readTimeout, .deadlineExceeded, .tlsHandshakeTimeout: .timedOut
    case .invalidURL, .emptyScheme, .emptyHost: .unsupportedURL
    case .redirectLimitReached, .redirectCycleDetected: .httpTooManyRedirects
    case .cancelled: .cancelled
    default: .networkConnectionLost
    }
  }
}
