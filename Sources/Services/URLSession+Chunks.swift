public import Foundation
import Synchronization

extension URLSession {
  /// How many chunks may wait for whoever reads them; curl makes none that is larger than 16 KB.
  private static let chunkLimit = 256

  public func chunks(
    for request: URLRequest
  ) async throws -> (URLResponse, AsyncThrowingStream<Data, any Error>) {
    let (chunks, continuation) = AsyncThrowingStream<Data, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.chunkLimit)
    )
    let receiver = ChunkReceiver(continuation)
    // A copy: on Linux, what a session answers is its own.
    let copy = self.configuration.copy()
    guard let configuration = copy as? URLSessionConfiguration else { throw URLError(.unknown) }
    // On Linux the request's own counts only if it is the shorter one.
    configuration.timeoutIntervalForRequest = request.timeoutInterval
    // It has no end.
    configuration.timeoutIntervalForResource = 7 * 86_400
    let session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    let task = session.dataTask(with: request)
    continuation.onTermination = { _ in task.cancel() }
    // As soon as the task has ended.
    defer { session.finishTasksAndInvalidate() }
    let response = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting in
        receiver.begin(waiting)
        task.resume()
      }
    } onCancel: {
      task.cancel()
      // A session does not always report the end of a task that is cancelled while it starts.
      receiver.end(URLError(.cancelled))
    }
    return (response, chunks)
  }
}

/// Passes on what arrives. `URLSession.bytes` does not exist on Linux.
private final class ChunkReceiver: NSObject, URLSessionDataDelegate, Sendable {
  private struct Head {
    var waiting: CheckedContinuation<URLResponse, any Error>?
    var error: (any Error)?
  }

  private let chunks: AsyncThrowingStream<Data, any Error>.Continuation
  private let head = Mutex(Head())

  init(_ chunks: AsyncThrowingStream<Data, any Error>.Continuation) {
    self.chunks = chunks
  }

  func begin(_ waiting: CheckedContinuation<URLResponse, any Error>) {
    let error = self.head.withLock { head in
      if head.error == nil { head.waiting = waiting }
      return head.error
    }
    if let error { waiting.resume(throwing: error) }
  }

  func end(_ error: (any Error)?) {
    let waiting = self.head.withLock { head in
      head.error = head.error ?? error ?? URLError(.badServerResponse)
      return head.waiting.take()
    }
    waiting?.resume(throwing: error ?? URLError(.badServerResponse))
    self.chunks.finish(throwing: error)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    self.head.withLock { $0.waiting.take() }?.resume(returning: response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard case .dropped = self.chunks.yield(data) else { return }
    // Nobody reads it. What is lost is told again to whoever begins anew.
    self.end(URLError(.dataLengthExceedsMaximum))
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    self.end(error)
  }

  /// To another server than the one that was meant, no token is sent.
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
