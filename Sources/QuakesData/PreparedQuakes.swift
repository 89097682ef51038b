import ImmutableData
import Synchronization

/// What the newest quakes that a session has fetched lead to, computed before their action is
/// reduced.
///
/// A large feed would occupy the main actor for seconds. So the session computes the next table
/// elsewhere, and the reducer and the listener take it if the state and the quakes are those that
/// it was computed for. Otherwise they compute it again, with the same result: with a log
/// (`--log`), always, because a server reduces the actions that it reads from the log.
package final class PreparedQuakes: Sendable {
  /// The one of this process. A test can use one of its own.
  @TaskLocal package static var current = PreparedQuakes()

  private struct Contents {
    /// Bounded: the newest feed, and a table that shares its rows with the state.
    var refresh: (limit: Int?, Prepared<QuakesState.Quakes.Refresh>)?
    /// Bounded: the content of the local store, and a table with the same rows.
    var insertion: Prepared<Table<Quake>>?
    var missCount = 0
  }

  private struct Prepared<Value: Sendable>: Sendable {
    let base: Table<Quake>
    let quakes: [Quake]
    let value: Value

    /// - Complexity: O(1) for the table that it was prepared for, and for another array; otherwise
    ///   that of comparing two tables.
    func value(for base: Table<Quake>, _ quakes: [Quake]) -> Value? {
      // Equal quakes may differ in their depths, so it must be the same array.
      self.quakes.sharesBuffer(with: quakes) && self.base == base ? self.value : nil
    }
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// How often something was needed that had not been prepared.
  var missCount: Int { self.contents.withLock { $0.missCount } }

  /// - Complexity: That of ``QuakesState/Quakes/refresh(by:)``.
  func prepareRefresh(of state: QuakesState.Quakes, by quakes: [Quake]) {
    let prepared = Prepared(base: state.table, quakes: quakes, value: state.refresh(by: quakes))
    self.contents.withLock { $0.refresh = (state.limit, prepared) }
  }

  /// - Complexity: O(1) if it was prepared; otherwise that of ``QuakesState/Quakes/refresh(by:)``.
  func refresh(of state: QuakesState.Quakes, by quakes: [Quake]) -> QuakesState.Quakes.Refresh {
    if let (limit, prepared) = self.contents.withLock({ $0.refresh }), limit == state.limit,
      let refresh = prepared.value(for: state.table, quakes)
    {
      return refresh
    }
    self.contents.withLock { $0.missCount += 1 }
    return state.refresh(by: quakes)
  }

  /// - Complexity: O(m log n), m quakes, n quakes of the table.
  func prepareInsertion(of quakes: [Quake], into table: Table<Quake>) {
    let prepared = Prepared(base: table, quakes: quakes, value: table.inserting(quakes))
    self.contents.withLock { $0.insertion = prepared }
  }

  /// - Complexity: O(1) if it was prepared; otherwise O(m log n), m quakes, n quakes of the table.
  func insertion(of quakes: [Quake], into table: Table<Quake>) -> Table<Quake> {
    let prepared = self.contents.withLock { $0.insertion }
    if let next = prepared?.value(for: table, quakes) { return next }
    self.contents.withLock { $0.missCount += 1 }
    return table.inserting(quakes)
  }

  /// Releases what was prepared for these quakes, which have been reduced.
  func forget(_ quakes: [Quake]) {
    let old = self.contents.withLock { contents in
      let old = contents
      if old.refresh?.1.quakes.sharesBuffer(with: quakes) == true { contents.refresh = nil }
      if old.insertion?.quakes.sharesBuffer(with: quakes) == true { contents.insertion = nil }
      return old
    }
    // They are released outside of the lock.
    withExtendedLifetime(old) {}
  }
}

extension Table {
  fileprivate func inserting(_ rows: [Row]) -> Self {
    var table = self
    table.insert(rows)
    return table
  }
}

extension QuakesState.Quakes {
  /// A refresh of the state.
  package struct Refresh: Sendable {
    package let changes: Changes
    /// The ids of all changed quakes.
    let ids: Set<Quake.ID>
    /// The table after the changes.
    let table: Table<Quake>
  }

  /// The refresh of the state by the quakes of a feed.
  ///
  /// - Complexity: The same as ``changes(by:)``.
  func refresh(by quakes: [Quake]) -> Refresh {
    let changes = self.changes(by: quakes)
    var table = self.table
    table.insert(changes.inserted)
    table.insert(changes.updated)
    for quake in changes.deleted { table[quake.id] = nil }
    return Refresh(changes: changes, ids: changes.ids, table: table)
  }
}

extension [Quake] {
  /// Whether two arrays are the same one in memory.
  fileprivate func sharesBuffer(with other: Self) -> Bool {
    self.count == other.count
      && self.withUnsafeBufferPointer { own in
        other.withUnsafeBufferPointer { $0.baseAddress == own.baseAddress }
      }
  }
}
