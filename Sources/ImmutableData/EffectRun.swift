import Foundation
import Synchronization

/// One run of an effect. It ends when its work ends, at its deadline, or when it is cancelled.
final class EffectRun: Sendable {
  /// The run of the current thunk.
  @TaskLocal static var current: EffectRun?

  private struct Contents {
    /// Why it must end.
    var error: (any Error)?
    var onEnd: (@Sendable (any Error) -> Void)?
    var remainder: Task<Void, Never>?
    /// The number of dispatched actions, by kind. Bounded by the kinds that an effect dispatches.
    var actionCounts: [String: Int] = [:]
  }

  let name: String
  /// The same in every process that runs the same effect of the same action; `nil` if no action has
  /// caused it.
  private let id: String?
  /// The other process that it is taken over from, if any.
  let node: String?
  let clock: any Clock<Duration>
  /// Receives the errors of what it still does after it has ended.
  let reportLate: @Sendable (any Error) -> Void
  private let deadlines: (any AnyDeadlines)?
  private let contents = Mutex(Contents())

  init(
    name: String,
    id: String?,
    node: String? = nil,
    deadlines: (any AnyDeadlines)?,
    clock: any Clock<Duration>,
    reportLate: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    self.name = name
    self.id = id
    self.node = node
    self.deadlines = deadlines
    self.clock = clock
    self.reportLate = reportLate
  }

  /// Work that was given up but is still running.
  var remainder: Task<Void, Never>? {
    self.contents.withLock { $0.remainder }
  }

  /// Identifies an action that it dispatches, in every process. Actions are counted by kind, because
  /// the run in another process may have another result, and then dispatches other actions first.
  func nextActionID(of action: Any) -> String? {
    guard let id else { return nil }
    let kind = Self.kind(of: action)
    return self.contents.withLock { contents in
      contents.actionCounts[kind, default: 0] += 1
      return "\(id)/\(kind)/\(contents.actionCounts[kind, default: 0])"
    }
  }

  /// The names of an action's cases, without its result.
  static func kind(of action: Any) -> String {
    var (cases, value): ([String], Any) = ([], action)
    while value is any OperationResult == false {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .enum else { break }
      guard let child = mirror.children.first else {
        cases.append("\(value)")
        break
      }
      cases.append(child.label ?? "")
      value = child.value
    }
    // An id in a log has a limit.
    return String(cases.joined(separator: ".").suffix(100))
  }

  func end(_ error: any Error) {
    let onEnd = self.contents.withLock { contents in
      contents.error = contents.error ?? error
      return contents.onEnd
    }
    onEnd?(error)
  }

  /// The result of some work. It waits no longer than until the deadline. Work that is given up is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - timeout: The error at the deadline.
  ///   - work: Not started if the run has already been ended.
  ///   - late: Receives the value of work that succeeds after it was given up.
  func result<Value: Sendable>(
    timeout: any Error,
    _ work: @escaping @Sendable () async throws -> Value,
    late: @escaping @Sendable (Value) async -> Void
  ) async -> Result<Value, any Error> {
    if let error = self.contents.withLock({ $0.error }) { return .failure(error) }
    let deadline = self.deadlines?.begin { self.end(timeout) }
    let first = First<Result<Value, any Error>>()
    let working = Task {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      if first.set(result) == false, case .success(let value) = result { await late(value) }
    }
    let giveUp: @Sendable (any Error) -> Void = { error in
      // Set first, because whoever waits for the result looks at it then.
      let isFirst = self.contents.withLock { contents in
        defer { contents.remainder = working }
        return contents.remainder == nil
      }
      guard isFirst else { return }
      guard first.set(.failure(error)) else {
        return self.contents.withLock { $0.remainder = nil }
      }
      working.cancel()
    }
    let error = self.contents.withLock { contents in
      contents.onEnd = giveUp
      return contents.error
    }
    if let error { giveUp(error) }
    let result = await first.value
    if let deadline { self.deadlines?.end(deadline) }
    self.contents.withLock { $0.onEnd = nil }
    return result
  }
}

/// Holds the first value that it is given.
final class First<Value: Sendable>: Sendable {
  private struct Contents {
    var value: Value?
    var waiting: CheckedContinuation<Value, Never>?
  }

  private let contents = Mutex(Contents())

  /// - Returns: Whether this was the first value.
  func set(_ value: Value) -> Bool {
    let (isFirst, waiting) = self.contents.withLock { contents in
      guard contents.value == nil else { return (false, nil as CheckedContinuation<Value, Never>?) }
      contents.value = value
      return (true, contents.waiting)
    }
    waiting?.resume(returning: value)
    return isFirst
  }

  /// Waits for the first value. There may be only one waiter.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = self.contents.withLock { contents in
          contents.waiting = continuation
          return contents.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

/// The error of an operation that was given up at its deadline.
struct OperationTimeout: LocalizedError {
  let mayHaveSucceeded: Bool

  var errorDescription: String? {
    self.mayHaveSucceeded
      ? "This took too long. It may have been done anyway: refresh to check, before you try again."
      : "This took too long. Try again."
  }
}
