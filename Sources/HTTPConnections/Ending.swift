import Dispatch
import ServiceLifecycle

/// Something that a server finishes before it ends, such as closing a database. Services end in
/// reverse order, so put it before those that need what it finishes.
package struct Ending: Service {
  /// What is finished, at the beginning of a sentence.
  let name: String
  private let finish: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - name: What is finished, at the beginning of a sentence.
  ///   - finish: Finishes it.
  package init(_ name: String, _ finish: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.finish = finish
  }

  /// - Parameters:
  ///   - name: What is finished, at the beginning of a sentence.
  ///   - finish: Finishes it, on a thread of its own, because it waits for a disk.
  package init(_ name: String, blocking finish: @escaping @Sendable () throws -> Void) {
    self.init(name) {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try finish() }) }
      }
    }
  }

  package func run() async throws {
    try? await gracefulShutdown()
    // In a task of its own, because services are cancelled if others do not end.
    try await Task { try await self.finish() }.value
  }
}

/// Some of what a server finishes before it ends could not be finished in time.
struct UnfinishedError: Error, CustomStringConvertible {
  let description: String

  init(_ endings: [Ending], within limit: Duration) {
    self.description = endings.map { ending in
      "\(ending.name) could not be closed within \(limit). The disk may hang. What was not saved by "
        + "then may be lost."
    }.joined(separator: " ")
  }
}
