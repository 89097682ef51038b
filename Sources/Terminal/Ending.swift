import Dispatch

/// Something that a program finishes before it ends.
package struct Ending: Sendable {
  private let name: String
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

  /// Finishes all of them at the same time. A disk that does not answer may hold each of them up
  /// forever, so they must not wait for it on the threads that run tasks, one of which must be free.
  ///
  /// - Parameters:
  ///   - endings: What is finished.
  ///   - limit: How long they may take.
  /// - Throws: ``Complaint``, with the failures, and the names of those that have not ended in time.
  package static func finish(_ endings: [Self], within limit: Duration) async throws {
    let (results, continuation) = AsyncStream<(index: Int, failure: (any Error)?)>.makeStream()
    for (index, ending) in endings.enumerated() {
      Task {
        do {
          try await ending.finish()
          continuation.yield((index, nil))
        } catch {
          continuation.yield((index, error))
        }
      }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
      continuation.finish()
    }
    var rest = Set(endings.indices)
    var failures: [String] = []
    for await (index, failure) in results {
      rest.remove(index)
      if let failure { failures.append("\(failure)") }
      if rest.isEmpty { break }
    }
    failures += rest.sorted().map { index in
      "\(endings[index].name) could not be closed within \(limit). The disk may hang. What was not "
        + "saved by then may be lost."
    }
    if failures.isEmpty == false { throw Complaint(failures.joined(separator: " ")) }
  }
}
