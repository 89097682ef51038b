import Foundation
import Synchronization

/// Makes the thunks of a session: its queries and mutations.
///
/// Each thunk does its work, dispatches the result, and rethrows errors. If ``EffectLanes`` runs
/// it, it always ends. Queries know of the concurrent mutations of these operations, so a query
/// never overwrites a newer write of this process.
///
/// A store that shares its actions with others (``ActionSequencer``) reduces an action some time
/// after it was dispatched, and other processes have operations of their own. A query does not know
/// of writes that are not reduced yet, or that other processes make. So if the state is the only
/// storage, the result of a query must carry no rows of it. If such stores share a database, the
/// rows need versions, so that the reducer can ignore older ones.
///
/// ```swift
/// let operations = Operations<Note.ID>()
///
/// operations.query { _ in
///   try await store.fetchNotes()
/// } actions: { result, meanwhile, _ in
///   switch result {
///   case .success(let notes):
///     [.didFetchNotes(.success(notes.filter { meanwhile.hasChanged($0.id) == false }))]
///   case .failure(let failure): [.didFetchNotes(.failure(failure.reason))]
///   }
/// }
/// ```
///
/// It remembers operations that have not ended, and the concurrent changes for each query and for
/// each write that was given up. Both are bounded by the number of operations in progress.
public final class Operations<ID: Hashable & Sendable>: Sendable {
  private struct Contents {
    var count = 0
    /// The queries in progress, each with the concurrent changes.
    var reads: [Int: Meanwhile<ID>] = [:]
    /// The mutations in progress, each with what it changes.
    var writes: [Int: Meanwhile<ID>] = [:]
    /// The newest query of each name. Bounded by the number of names, which is small.
    var newest: [String: Int] = [:]
  }

  private let contents = Mutex(Contents())
  private let reason: @Sendable (any Error) -> String?

  /// - Parameter reason: The text that visitors see for an error; `nil` for its localized
  ///   description. It is not asked about cancellations.
  public init(reason: @escaping @Sendable (any Error) -> String? = { _ in nil }) {
    self.reason = reason
  }
}

/// Why an operation has failed.
public struct OperationFailure: Error {
  public let error: any Error
  /// A sentence for visitors. The log contains the error itself.
  public let reason: String

  /// The reason of an operation that was cancelled, or that no process runs any more.
  public static let interruption = "This was interrupted. Try again."
}

/// What has changed while a query was in progress.
public struct Meanwhile<ID: Hashable & Sendable>: Sendable {
  /// The ids that have changed. For these, the state is newer than what was read.
  public fileprivate(set) var ids: Set<ID> = []
  /// Groups of ids that have changed. There may be a hundred thousand of them in each, which are not
  /// listed. Bounded by the writes during the query.
  fileprivate var groups: [@Sendable (ID) -> Bool] = []
  /// Whether everything has changed, including ids that the state does not know.
  public fileprivate(set) var isEverything = false
  /// The reasons of other operations that have failed; at most the newest eight.
  public fileprivate(set) var failures: [String] = []
  /// The number of additions.
  fileprivate var revision = 0

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    self.isEverything == false && self.ids.isEmpty && self.groups.isEmpty
  }

  /// Whether an element has changed: it is one of ``ids``, or of a group
  /// (``Operations/didChange(where:)``).
  ///
  /// - Complexity: O(g), g groups.
  public func hasChanged(_ id: ID) -> Bool {
    self.ids.contains(id) || self.groups.contains { $0(id) }
  }

  /// The elements that have not changed since the query began.
  ///
  /// - Complexity: O(n), n elements.
  public func unchanged<Element: Identifiable>(_ elements: [Element]) -> [Element]
  where Element.ID == ID {
    if self.isEverything { return [] }
    return self.isEmpty ? elements : elements.filter { self.hasChanged($0.id) == false }
  }

  fileprivate mutating func add(_ other: Self) {
    self.ids.formUnion(other.ids)
    self.groups += other.groups
    self.isEverything = self.isEverything || other.isEverything
    self.failures = (self.failures + other.failures).suffix(8)
    self.revision += 1
  }
}

/// How often to retry work that fails.
public struct Retry: Sendable {
  let attempts: Int
  let pause: Duration
  let isWorthwhile: @Sendable (any Error) -> Bool

  /// - Parameters:
  ///   - attempts: The maximum number of attempts, at least 1.
  ///   - pause: The time before the second attempt. It doubles for each further attempt.
  ///   - isWorthwhile: Whether another attempt may succeed.
  public init(
    attempts: Int,
    pause: Duration,
    if isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.attempts = attempts
    self.pause = pause
    self.isWorthwhile = isWorthwhile
  }

  /// One attempt.
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
  /// Selects the state when it is called.
  public typealias CurrentState<State> = @Sendable () async -> State

  /// Makes a thunk that reads. It counts as in progress from this call on, so run it exactly once.
  ///
  /// - Parameters:
  ///   - name: If another query of this name begins later, the result of this one is dropped.
  ///   - isElsewhere: Whether it reads something that mutations do not write. Otherwise, the ids
  ///     that a mutation is changing when the query begins count as changed concurrently.
  ///   - retry: How often to retry.
  ///   - work: Reads. Receives a closure that selects the state.
  ///   - actions: Makes the actions to dispatch, which are dispatched in one step. It runs off the
  ///     main actor, and again if something has changed in the meantime.
  public func query<Dispatcher, Selector, Value: Sendable>(
    latestOf name: String? = nil,
    isElsewhere: Bool = false,
    retry: Retry = .never,
    _ work: @escaping @Sendable (CurrentState<Selector.State>) async throws -> Value,
    actions:
      @escaping @Sendable (
        Result<Value, OperationFailure>, Meanwhile<ID>, Selector.State
      ) -> [Dispatcher.Action]
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    self.query(
      latestOf: name, isElsewhere: isElsewhere, retry: retry, work,
      seeing: { (selector: Selector, _, _) in selector.state }, actions: actions)
  }

  /// A query whose actions need the state only sometimes.
  ///
  /// - Parameter look: Selects what `actions` receives, given the result and the concurrent changes.
  package func query<Dispatcher, Selector, Seen: Sendable, Value: Sendable>(
    latestOf name: String? = nil,
    isElsewhere: Bool = false,
    retry: Retry = .never,
    _ work: @escaping @Sendable (CurrentState<Selector.State>) async throws -> Value,
    seeing look:
      @escaping @MainActor @Sendable (
        Selector, Result<Value, OperationFailure>, Meanwhile<ID>
      ) -> Seen,
    actions:
      @escaping @Sendable (
        Result<Value, OperationFailure>, Meanwhile<ID>, Seen
      ) -> [Dispatcher.Action]
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    let read = self.beginReading(name, isElsewhere: isElsewhere)
    return { dispatcher, selector in
      let result = await self.result(mayHaveSucceeded: false) {
        try await retry { try await work { await selector.state } }
      } late: { _ in
      }
      var isDone = false
      while isDone == false {
        let context = await MainActor.run {
          self.meanwhile(read).map { ($0, look(selector, result, $0)) }
        }
        let ended = context.map { actions(result, $0, $1) } ?? []
        isDone = try await MainActor.run {
          guard self.meanwhile(read)?.revision == context?.0.revision else { return false }
          read.end()
          guard let (meanwhile, seen) = context else { return true }
          self.didEnd(result)
          try self.dispatch(ended, to: dispatcher) { actions(.failure($0), meanwhile, seen) }
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
  ///   - ids: The ids that the state has already changed optimistically.
  ///   - isEverything: Whether the state has already changed everything.
  ///   - isStored: Whether the work itself writes something. Otherwise only its actions do, and it has
  ///     not happened if it was given up.
  ///   - readAgain: For work that replaces so much that its value says nothing about what has changed
  ///     since it was given up. If it succeeds then, this query runs instead of `actions`.
  ///   - retry: How often to retry. An attempt that fails may have written nevertheless, so the work
  ///     must be safe to repeat, for example because its request names the operation.
  ///   - work: Writes. Receives a closure that selects the state.
  ///   - changed: The ids that the state changes once the value has been written.
  ///   - isCurrent: Whether a state has the value, although these ids have changed since the operation
  ///     was given up.
  ///   - actions: Makes the actions to dispatch, which are dispatched in one step. If the operation
  ///     was given up and succeeds later, it is called again with the success, unless the state may
  ///     be newer than the value.
  public func mutation<Dispatcher, Selector, Value: Sendable>(
    changing ids: Set<ID> = [],
    isEverything: Bool = false,
    isStored: Bool = true,
    readAgain: (@Sendable () -> Thunk<Dispatcher, Selector>)? = nil,
    retry: Retry = .never,
    _ work: @escaping @Sendable (CurrentState<Selector.State>) async throws -> Value,
    changed: @escaping @Sendable (Value) -> [ID] = { _ in [] },
    isCurrent: @escaping @Sendable (Value, Selector.State) -> Bool = { _, _ in false },
    actions: @escaping @MainActor @Sendable (Result<Value, OperationFailure>) -> [Dispatcher.Action]
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    let write = self.beginWriting(Meanwhile(ids: ids, isEverything: isEverything))
    return { dispatcher, selector in
      // Notes what changes after it was given up.
      let givenUp = Mutex<Token?>(nil)
      // A late success is dispatched after the failure that it answers.
      let hasEnded = First<Void>()
      defer { _ = hasEnded.set(()) }
      let end: @MainActor @Sendable (Result<Value, OperationFailure>) throws -> Void = { result in
        write?.end()
        if case .success(let value) = result { self.didChange(changed(value)) }
        self.didEnd(result)
        try self.dispatch(actions(result), to: dispatcher) { actions(.failure($0)) }
      }
      let result = await self.result(mayHaveSucceeded: isStored) {
        try await retry { try await work { await selector.state } }
      } late: { value in
        let run = EffectRun.current
        await hasEnded.value
        guard isStored else { return }
        if let readAgain {
          // What is being read may have missed it.
          self.didChangeEverything()
          // This run has ended, and its task is cancelled.
          let reading = Task {
            try await EffectRun.$current.withValue(nil) {
              try await readAgain()(dispatcher, selector)
            }
          }
          if case .failure(let error) = await reading.result { run?.reportLate(error) }
          return
        }
        await MainActor.run {
          let isNewer = self.hasChanged(changed(value), since: givenUp.withLock { $0 })
          guard isNewer == false || isCurrent(value, selector.state) else { return }
          do {
            try end(.success(value))
          } catch {
            // The reducer may not know the operation any more.
            run?.reportLate(error)
          }
        }
      }
      if EffectRun.current?.remainder != nil {
        givenUp.withLock { $0 = self.beginReading(nil, isElsewhere: true) }
      }
      try await end(result)
      try result.throwError()
    }
  }

  /// Reports ids that the state has changed, for the queries in progress.
  ///
  /// - Complexity: O(n k), n ids, k queries in progress.
  public func didChange(_ ids: some Sequence<ID>) {
    self.add { Meanwhile(ids: Set(ids)) }
  }

  /// Reports a large group of ids that the state has changed, for the queries in progress.
  ///
  /// - Parameter group: Whether an id belongs to the group. It is called off the main actor.
  /// - Complexity: O(k), k queries in progress.
  public func didChange(where group: @escaping @Sendable (ID) -> Bool) {
    self.add { Meanwhile(groups: [group]) }
  }

  /// Reports that the state has changed everything, for the queries in progress.
  ///
  /// - Complexity: O(k), k queries in progress.
  public func didChangeEverything() {
    self.add { Meanwhile(isEverything: true) }
  }

  private func add(_ makeChange: () -> Meanwhile<ID>) {
    self.contents.withLock { contents in
      guard contents.reads.isEmpty == false else { return }
      let change = makeChange()
      for read in contents.reads.keys { contents.reads[read]?.add(change) }
    }
  }
}

extension Operations {
  /// Marks an operation as in progress until it ends or its thunk is released.
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

  /// - Returns: `nil` if a newer query of the same name has begun.
  private func meanwhile(_ read: Token) -> Meanwhile<ID>? {
    self.contents.withLock { contents in
      if let name = read.name, contents.newest[name] != read.id { return nil }
      return contents.reads[read.id] ?? Meanwhile()
    }
  }

  private func hasChanged(_ ids: [ID], since begun: Token?) -> Bool {
    guard let begun, let meanwhile = self.meanwhile(begun) else { return false }
    return meanwhile.isEverything || ids.contains(where: meanwhile.hasChanged)
  }

  private func didEnd(_ result: Result<some Any, OperationFailure>) {
    guard case .failure(let failure) = result else { return }
    self.contents.withLock { contents in
      for read in contents.reads.keys {
        contents.reads[read]?.add(Meanwhile(failures: [failure.reason]))
      }
    }
  }

  /// Dispatches the actions of an operation that has ended, or those of its failure if one of them
  /// is too large to be sent.
  @MainActor private func dispatch<Dispatcher: ImmutableData.Dispatcher>(
    _ actions: [Dispatcher.Action],
    to dispatcher: Dispatcher,
    orElse failed: (OperationFailure) -> [Dispatcher.Action]
  ) throws {
    do {
      for action in actions { try dispatcher.dispatch(action: action) }
    } catch let error as ActionTooLargeError {
      let failure = OperationFailure(error: error, reason: self.message(error))
      for action in failed(failure) { try dispatcher.dispatch(action: action) }
      throw error
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
    if error is CancellationError { return OperationFailure.interruption }
    return self.reason(error) ?? error.localizedDescription
  }
}

extension Result where Failure == OperationFailure {
  fileprivate func throwError() throws {
    if case .failure(let failure) = self { throw failure.error }
  }
}
