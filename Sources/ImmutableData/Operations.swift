import Foundation
import Synchronization

/// Makes the thunks of a session: what it reads, and what it writes.
///
/// Each thunk does its work, dispatches the result, and rethrows errors. If ``EffectLanes`` runs
/// it, it always ends. Queries know of concurrent mutations, so a query never overwrites a newer
/// write.
///
/// ```swift
/// let operations = Operations<Note.ID>()
///
/// operations.query { _ in
///   try await store.fetchNotes()
/// } actions: { result, meanwhile, _ in
///   switch result {
///   case .success(let notes):
///     [.didFetchNotes(.success(notes.filter { meanwhile.ids.contains($0.id) == false }))]
///   case .failure(let failure): [.didFetchNotes(.failure(failure.reason))]
///   }
/// }
/// ```
///
/// It remembers operations that have not ended, and for each query what was changed meanwhile: both are
/// bounded by what can be begun before they end.
public final class Operations<ID: Hashable & Sendable>: Sendable {
  private struct Contents {
    var count = 0
    /// For each that is read, what has happened meanwhile.
    var reads: [Int: Meanwhile<ID>] = [:]
    /// What is changed by each that is written.
    var writes: [Int: Meanwhile<ID>] = [:]
    /// The newest query of each name; there are few names.
    var newest: [String: Int] = [:]
  }

  private let contents = Mutex(Contents())
  private let reason: @Sendable (any Error) -> String?

  /// - Parameter reason: What visitors are told of an error; `nil`: its localized description.
  public init(reason: @escaping @Sendable (any Error) -> String? = { _ in nil }) {
    self.reason = reason
  }
}

/// Why an operation has failed.
public struct OperationFailure: Error {
  public let error: any Error
  /// A sentence for visitors. The log has the error with its details.
  public let reason: String
}

/// What has happened while something was read.
public struct Meanwhile<ID: Hashable & Sendable>: Sendable {
  /// What was changed: it is newer in the state than what was read.
  public fileprivate(set) var ids: Set<ID> = []
  /// Whether everything was, what the state knows nothing of too.
  public fileprivate(set) var isEverything = false
  /// Why other operations have failed; the newest eight.
  public fileprivate(set) var failures: [String] = []
  /// Counts what was added.
  fileprivate var revision = 0

  /// What was read, without what was changed meanwhile.
  ///
  /// - Complexity: O(n), n elements.
  public func unchanged<Element: Identifiable>(_ elements: [Element]) -> [Element]
  where Element.ID == ID {
    if self.isEverything { return [] }
    return self.ids.isEmpty ? elements : elements.filter { self.ids.contains($0.id) == false }
  }

  fileprivate mutating func add(_ other: Self) {
    self.ids.formUnion(other.ids)
    self.isEverything = self.isEverything || other.isEverything
    self.failures = (self.failures + other.failures).suffix(8)
    self.revision += 1
  }
}

/// How often work is tried that fails.
public struct Retry: Sendable {
  let attempts: Int
  let pause: Duration
  let isWorthwhile: @Sendable (any Error) -> Bool

  /// - Parameters:
  ///   - attempts: How often at most, 1 or more.
  ///   - pause: How long to wait before the second attempt; it doubles with each.
  ///   - isWorthwhile: Whether trying again may help.
  public init(
    attempts: Int,
    pause: Duration,
    if isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.attempts = attempts
    self.pause = pause
    self.isWorthwhile = isWorthwhile
  }

  /// Once.
  public static var never: Self { Self(attempts: 1, pause: .zero) }

  fileprivate func callAsFunction<Value>(_ work: () async throws -> Value) async throws -> Value {
    let clock = EffectRun.current?.clock ?? ContinuousClock()
    var pause = self.pause
    for _ in 1..<max(1, self.attempts) {
      do {
        return try await work()
      } catch  where self.isWorthwhile(error) && Task.isCancelled == false {
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
    return try await work()
  }
}

extension Operations {
  /// A unit of asynchronous work that selects and dispatches.
  public typealias Thunk<Dispatcher, Selector> =
    @Sendable (Dispatcher, Selector) async throws -> Void

  /// A thunk that reads. It is under way from now on: run it, once.
  ///
  /// - Parameters:
  ///   - name: If another query of this name has begun since, what this one brings is dropped.
  ///   - isElsewhere: Whether it reads something else than what mutations write. Else what a mutation is
  ///     changing when it begins counts as changed meanwhile.
  ///   - retry: How often it is tried.
  ///   - work: Reads. It is given the state of when it begins.
  ///   - actions: What to dispatch, with nothing in between. It runs beside the main actor, and again if
  ///     more has happened meanwhile.
  public func query<Dispatcher, Selector, Value: Sendable>(
    latestOf name: String? = nil,
    isElsewhere: Bool = false,
    retry: Retry = .never,
    _ work: @escaping @Sendable (Selector.State) async throws -> Value,
    actions:
      @escaping @Sendable (
        Result<Value, OperationFailure>, Meanwhile<ID>, Selector.State
      ) -> [Dispatcher.Action]
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    let read = self.beginReading(name, isElsewhere: isElsewhere)
    return { dispatcher, selector in
      let state = await selector.state
      let result = await self.result(mayHaveSucceeded: false) {
        try await retry { try await work(state) }
      } late: { _ in
      }
      var isDone = false
      while isDone == false {
        let (meanwhile, state) = await MainActor.run { (self.meanwhile(read), selector.state) }
        let actions = meanwhile.map { actions(result, $0, state) } ?? []
        isDone = try await MainActor.run {
          guard self.meanwhile(read)?.revision == meanwhile?.revision else { return false }
          read.end()
          if meanwhile != nil { self.didEnd(result) }
          for action in actions { try dispatcher.dispatch(action: action) }
          return true
        }
      }
      try result.throwError()
    }
  }

  /// Makes a thunk that writes. Queries treat the ids that it changes optimistically as changed
  /// from this call on, so run the thunk exactly once.
  ///
  /// - Parameters:
  ///   - ids: What the state has changed already.
  ///   - isEverything: Whether that is everything.
  ///   - work: Writes. It is given the state of when it begins.
  ///   - changed: What the state changes when it has been written.
  ///   - actions: What to dispatch, with nothing in between: also after the failure of an operation that
  ///     was given up and succeeded all the same.
  public func mutation<Dispatcher, Selector, Value: Sendable>(
    changing ids: Set<ID> = [],
    isEverything: Bool = false,
    _ work: @escaping @Sendable (Selector.State) async throws -> Value,
    changed: @escaping @Sendable (Value) -> [ID] = { _ in [] },
    actions: @escaping @MainActor @Sendable (Result<Value, OperationFailure>) -> [Dispatcher.Action]
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    let write = self.beginWriting(Meanwhile(ids: ids, isEverything: isEverything))
    return { dispatcher, selector in
      let end: @MainActor @Sendable (Result<Value, OperationFailure>) throws -> Void = { result in
        write?.end()
        if case .success(let value) = result { self.didChange(changed(value)) }
        self.didEnd(result)
        for action in actions(result) { try dispatcher.dispatch(action: action) }
      }
      let state = await selector.state
      let result = await self.result(mayHaveSucceeded: true) {
        try await work(state)
      } late: { value in
        // A reducer may know no more of what it was about.
        try? await end(.success(value))
      }
      try await end(result)
      try result.throwError()
    }
  }

  /// Says that the state has changed something while it may be read.
  ///
  /// - Complexity: O(n k), n ids, k queries that are under way.
  public func didChange(_ ids: some Sequence<ID>) {
    self.contents.withLock { contents in
      guard contents.reads.isEmpty == false else { return }
      let change = Meanwhile(ids: Set(ids))
      for read in contents.reads.keys { contents.reads[read]?.add(change) }
    }
  }
}

extension Operations {
  /// That something is under way: until it ends, or nobody can run it any more.
  private final class Token: Sendable {
    let id: Int
    let name: String?
    let end: @Sendable () -> Void

    init(id: Int, name: String? = nil, end: @escaping @Sendable () -> Void) {
      self.id = id
      self.name = name
      self.end = end
    }

    deinit {
      self.end()
    }
  }

  private func beginReading(_ name: String?, isElsewhere: Bool) -> Token {
    let id = self.contents.withLock { contents in
      contents.count += 1
      contents.reads[contents.count] = Meanwhile()
      if isElsewhere == false {
        for write in contents.writes.values { contents.reads[contents.count]?.add(write) }
      }
      if let name { contents.newest[name] = contents.count }
      return contents.count
    }
    return Token(id: id, name: name) { [weak self] in
      self?.contents.withLock { $0.reads[id] = nil }
    }
  }

  private func beginWriting(_ change: Meanwhile<ID>) -> Token? {
    guard change.isEverything || change.ids.isEmpty == false else { return nil }
    let id = self.contents.withLock { contents in
      contents.count += 1
      contents.writes[contents.count] = change
      for read in contents.reads.keys { contents.reads[read]?.add(change) }
      return contents.count
    }
    return Token(id: id) { [weak self] in
      self?.contents.withLock { $0.writes[id] = nil }
    }
  }

  /// - Returns: `nil` when another has overtaken it.
  private func meanwhile(_ read: Token) -> Meanwhile<ID>? {
    self.contents.withLock { contents in
      if let name = read.name, contents.newest[name] != read.id { return nil }
      return contents.reads[read.id] ?? Meanwhile()
    }
  }

  private func didEnd(_ result: Result<some Any, OperationFailure>) {
    guard case .failure(let failure) = result else { return }
    self.contents.withLock { contents in
      for read in contents.reads.keys {
        contents.reads[read]?.add(Meanwhile(failures: [failure.reason]))
      }
    }
  }

  private func result<Value: Sendable>(
    mayHaveSucceeded: Bool,
    _ work: @escaping @Sendable () async throws -> Value,
    late: @escaping @Sendable (Value) async -> Void
  ) async -> Result<Value, OperationFailure> {
    let result: Result<Value, any Error>
    if let run = EffectRun.current {
      let timeout = OperationTimeout(mayHaveSucceeded: mayHaveSucceeded)
      result = await run.result(timeout: timeout, work, late: late)
    } else {
      do { result = .success(try await work()) } catch { result = .failure(error) }
    }
    return result.mapError { OperationFailure(error: $0, reason: self.message($0)) }
  }

  private func message(_ error: any Error) -> String {
    if let reason = self.reason(error) { return reason }
    return error is CancellationError
      ? "This was interrupted. Try again." : error.localizedDescription
  }
}

extension Result where Failure == OperationFailure {
  fileprivate func throwError() throws {
    if case .failure(let failure) = self { throw failure.error }
  }
}
