import Tracing

/// The newest actions of a store or scope, so that a periodic reader can see every action.
///
/// Readers release the actions that they have seen (``release(through:)``), so an idle store holds
/// none. If nobody releases actions, or many come at once, the log keeps the newest 256; it is cut
/// to that length when it reaches twice that. Payloads can be of any size, so above 8 MB the log
/// drops the oldest ones, and keeps only the states before them. The newest one does not count until
/// the next action comes: by then it has usually been released.
///
/// States share what their types share, such as the rows of a ``Table``. What one of them has and
/// the one before it has not came with the action between them. So old states take no more than one
/// state and the payloads of their actions. Above 32 MB of payloads, including those that were
/// dropped, the log removes the oldest actions with their states.
struct RecentActions<State, Action>: Sendable where State: Sendable, Action: Sendable {
  private static var limit: Int { 256 }
  private static var byteLimit: Int { 8 << 20 }
  private static var stateByteLimit: Int { 32 << 20 }

  private struct Entry: Sendable {
    let version: UInt64
    let oldState: State
    let transition: Transition?
    let trace: ServiceContext?
    /// `nil` if it was dropped.
    var action: Action?
    /// The size of the action; 0 as long as it does not count.
    var bytes = 0

    var logged: LoggedAction<State, Action>? {
      self.action.map { action in
        LoggedAction(
          oldState: self.oldState, action: action, transition: self.transition, trace: self.trace)
      }
    }
  }

  /// Oldest first. Bounded by twice the limit, and without the newest by ``byteLimit`` and by
  /// ``stateByteLimit``.
  private var entries: [Entry] = []
  /// The size of the newest action, which does not count yet; `nil` if there is none.
  private var newestSize: ActionSize?
  /// The size of the payloads that count and were not dropped.
  private var bytes = 0
  /// The size of all payloads that count, which stands for the size of the states.
  private var stateBytes = 0
  /// The version of the newest action that was removed.
  private var released: UInt64 = 0

  /// - Parameters:
  ///   - version: Higher than all earlier versions.
  ///   - size: The size of the action's payload.
  /// - Complexity: O(1), amortised.
  mutating func append(
    _ action: LoggedAction<State, Action>, version: UInt64, size: ActionSize
  ) {
    self.countNewest()
    self.newestSize = size
    self.entries.append(
      Entry(
        version: version,
        oldState: action.oldState,
        transition: action.transition,
        trace: action.trace,
        action: action.action
      )
    )
    if self.entries.count >= 2 * Self.limit {
      self.release(through: self.entries[self.entries.count - Self.limit - 1].version)
    }
    if self.bytes > Self.byteLimit { self.dropPayloads() }
    if self.stateBytes > Self.stateByteLimit { self.dropStates() }
  }

  /// Counts the newest action, because there will be a newer one.
  private mutating func countNewest() {
    guard let size = self.newestSize, let newest = self.entries.indices.last else { return }
    let bytes = size.bytes
    self.entries[newest].bytes = bytes
    self.bytes += bytes
    self.stateBytes += bytes
  }

  /// Drops the oldest payloads, and so many that this happens only occasionally.
  private mutating func dropPayloads() {
    for index in self.entries.indices where self.entries[index].action != nil {
      guard self.bytes > Self.byteLimit / 2 else { return }
      self.entries[index].action = nil
      self.bytes -= self.entries[index].bytes
    }
  }

  /// Removes the oldest actions, and so many that this happens only occasionally. The newest one
  /// stays.
  private mutating func dropStates() {
    var left = self.stateBytes
    var last: UInt64?
    for entry in self.entries.dropLast() where left > Self.stateByteLimit / 2 {
      left -= entry.bytes
      last = entry.version
    }
    if let last { self.release(through: last) }
  }

  /// Removes the actions up to a version.
  ///
  /// - Complexity: O(n), n actions.
  mutating func release(through version: UInt64) {
    guard let first = self.entries.first, first.version <= version else { return }
    let count = self.entries.firstIndex { $0.version > version } ?? self.entries.count
    self.released = self.entries[count - 1].version
    if count == self.entries.count {
      self.removeAll()
    } else {
      for entry in self.entries[..<count] {
        self.stateBytes -= entry.bytes
        if entry.action != nil { self.bytes -= entry.bytes }
      }
      self.entries.removeFirst(count)
    }
  }

  /// Removes all actions, because no action caused the change at this version.
  ///
  /// - Parameter version: Higher than all earlier versions.
  mutating func interrupt(at version: UInt64) {
    self.removeAll()
    self.released = version
  }

  private mutating func removeAll() {
    self.entries = []
    self.newestSize = nil
    self.bytes = 0
    self.stateBytes = 0
  }

  /// The actions after a version, oldest first.
  ///
  /// - Returns: `nil` if one of them has been removed, or its payload dropped.
  /// - Complexity: O(n), n actions after the version.
  func actions(since version: UInt64) -> [LoggedAction<State, Action>]? {
    guard let entries = self.entries(since: version) else { return nil }
    let actions = entries.compactMap { $0.logged }
    return actions.count == entries.count ? actions : nil
  }

  /// The states before each of the actions after a version, oldest first.
  ///
  /// - Returns: `nil` if one of the actions has been removed.
  /// - Complexity: O(n), n actions after the version.
  func oldStates(since version: UInt64) -> [State]? {
    self.entries(since: version).map { $0.map { $0.oldState } }
  }

  private func entries(since version: UInt64) -> ArraySlice<Entry>? {
    guard version >= self.released else { return nil }
    let start = self.entries.lastIndex { $0.version <= version }.map { $0 + 1 } ?? 0
    return self.entries[start...]
  }

  /// The newest transition of the actions after a version.
  ///
  /// - Returns: `nil` if there is none, or if one of the actions has been removed.
  /// - Complexity: O(n), n actions after the version.
  func transition(since version: UInt64) -> Transition? {
    self.entries(since: version)?.last { $0.transition != nil }?.transition
  }

  /// The traces of the actions after a version, oldest first.
  ///
  /// - Complexity: O(n), n actions after the version.
  func traces(since version: UInt64) -> [ServiceContext] {
    var traces: [ServiceContext] = []
    // In generic code, a closure would be given a copy of each entry with its state.
    for index in self.entries.indices where self.entries[index].version > version {
      if let trace = self.entries[index].trace { traces.append(trace) }
    }
    return traces
  }
}
