public import Foundation
import Synchronization

extension URLSession {
  /// A session that stores nothing: no cache, no cookies, no credentials.
  ///
  /// - Parameters:
  ///   - idle: How long a server may send nothing, in seconds.
  ///   - total: How long a response may take in all, in seconds; by default six times `idle`.
  public static func withTimeouts(
    idle: TimeInterval = 10,
    total: TimeInterval? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = idle
    configuration.timeoutIntervalForResource = total ?? 6 * idle
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    return URLSession(configuration: configuration)
  }
}

extension URLSession: NetworkSessionURLSession {
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await self.data(for: request, limit: .max)
  }

  public func data(for request: URLRequest, limit: Int) async throws -> (Data, URLResponse) {
    // On Linux only a session's delegate receives data, not a task's.
    let collector = BodyCollector(limit: limit)
    let session = URLSession(
      configuration: self.configuration,
      delegate: collector,
      delegateQueue: NarrowQueue()
    )
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    let total = Duration.seconds(self.configuration.timeoutIntervalForResource)
    // On Linux nothing else enforces that limit, so a body that trickles in would be awaited
    // forever.
    let deadline = Task {
      try await Task.sleep(for: total)
      collector.end(throwing: URLError(.timedOut))
      task.cancelSoon()
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        collector.begin(continuation)
        task.resume()
      }
    } onCancel: {
      task.cancelSoon()
      // A session does not always report the end of a task that is cancelled while it starts.
      collector.cancel()
    }
  }
}

extension URLSessionTask {
  /// Cancels it without waiting for its session, which may be decompressing, or waiting for its
  /// delegate.
  fileprivate func cancelSoon() {
    DispatchQueue.global().async { self.cancel() }
  }
}

/// Collects one response, and ends it if it is too large. `URLSession.bytes` does not exist on
/// Linux.
private final class BodyCollector: NSObject, URLSessionDataDelegate, Sendable {
  private typealias Continuation = CheckedContinuation<(Data, URLResponse), any Error>

  private struct Progress {
    var continuation: Continuation?
    var response: URLResponse?
    var data = Data()
    var isCancelled = false
  }

  private let limit: Int
  private let progress = Mutex(Progress())

  init(limit: Int) {
    self.limit = limit
  }

  func begin(_ continuation: CheckedContinuation<(Data, URLResponse), any Error>) {
    let isCancelled = self.progress.withLock { progress in
      if progress.isCancelled == false { progress.continuation = continuation }
      return progress.isCancelled
    }
    if isCancelled { continuation.resume(throwing: URLError(.cancelled)) }
  }

  func cancel() {
    self.progress.withLock { $0.isCancelled = true }
    self.end(throwing: URLError(.cancelled))
  }

  /// Refuses to send the token to another server.
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    var request = request
    let (from, to) = (task.originalRequest?.url, request.url)
    if from?.scheme != to?.scheme || from?.host() != to?.host() || from?.port != to?.port {
      request.setValue(nil, forHTTPHeaderField: "Authorization")
    }
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    guard response.expectedContentLength <= Int64(self.limit) else {
      completionHandler(.cancel)
      dataTask.cancelSoon()
      return self.end(throwing: BodyLimitError(limit: self.limit))
    }
    self.progress.withLock { progress in
      progress.response = response
      progress.data = Data()
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = self.progress.withLock { progress in
      guard progress.data.count + data.count <= self.limit else { return true }
      progress.data.append(data)
      return false
    }
    guard isTooLarge else { return }
    dataTask.cancelSoon()
    self.end(throwing: BodyLimitError(limit: self.limit))
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    if let error {
      self.end(throwing: error)
    } else {
      self.end(throwing: nil)
    }
  }

  /// Only the first end counts.
  func end(throwing error: (any Error)?) {
    let (progress, continuation) = self.progress.withLock { progress in
      let continuation = progress.continuation.take()
      return (progress, continuation)
    }
    if let error {
      continuation?.resume(throwing: error)
    } else if let response = progress.response {
      continuation?.resume(returning: (progress.data, response))
    } else {
      continuation?.resume(throwing: URLError(.badServerResponse))
    }
  }
}
