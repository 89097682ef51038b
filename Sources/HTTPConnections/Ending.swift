import Dispatch
import ServiceLifecycle
import Synchronization

/// Something that a server finishes when its services have ended, such as closing a database.
package struct Ending: Sendable {
  /// What is finished, at the beginning of a sentence.
  let name: String
  let finish: @Sendable () async throws -> Void

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
        DispatchQueue.global(qos: .userInitiated).async {
          continuation.resume(with: Result { try finish() })
        }
      }
    }
  }
}

/// Finishes everything at the same time, because one thing may wait for a disk that does not answer.
/// It begins when all services have ended, or are about to be cancelled.
final class EndingService: Service {
  private let endings: [Ending]
  /// By the positions of the endings.
  private let results = Mutex<[Int: Result<Void, any Error>]>([:])
  private let finishing = Mutex<Task<Void, Never>?>(nil)

  init(_ endings: [Ending]) {
    self.endings = endings
  }

  func run() async {
    try? await gracefulShutdown()
    await self.begin().value
  }

  /// Begins, unless it has begun.
  ///
  /// - Returns: A task that nobody cancels. Its priority is high, because thousands of tasks of
  ///   requests may end at the same moment.
  @discardableResult func begin() -> Task<Void, Never> {
    self.finishing.withLock { finishing in
      if let finishing { return finishing }
      let task = Task.detached(priority: .high) {
        await withTaskGroup { group in
          for (index, ending) in self.endings.enumerated() {
            group.addTask {
              let result: Result<Void, any Error>
              do { result = .success(try await ending.finish()) } catch { result = .failure(error) }
              self.results.withLock { $0[index] = result }
            }
          }
        }
      }
      finishing = task
      return task
    }
  }

  /// What has failed, or has not ended, in sentences.
  func problems(within limit: Duration) -> [String] {
    let results = self.results.withLock { $0 }
    return self.endings.enumerated().compactMap { index, ending in
      switch results[index] {
      case .success: nil
      case .failure(let error): "\(ending.name) could not be closed. \(error)"
      case nil:
        "\(ending.name) could not be closed within \(limit). The disk may hang, or the machine be too "
          + "busy. What was not saved by then may be lost."
      }
    }
  }
}

/// Some of what a server finishes before it ends could not be finished.
struct UnfinishedError: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - problems: What could not be finished, in sentences.
  ///   - failure: Why the server ended.
  init(_ problems: [String], after failure: (any Error)?) {
    self.description = ([failure.map { "\($0)" }].compactMap(\.self) + problems)
      .joined(separator: " ")
  }
}
