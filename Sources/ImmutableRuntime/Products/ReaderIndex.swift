import ImmutableData
import ImmutableUI

/// The selectors that the used regions of a product read, and which of them a frame has to update.
///
/// It finds selectors by the groups of rows that they depend on, so a frame does not update the
/// selectors of other groups. Bounded by the used regions.
///
/// Not Sendable: the renderer owns it.
struct ReaderIndex {
  private var all: [ObjectIdentifier: SelectorReaders] = [:]
  /// The selectors that every frame must update to find out whether they have changed.
  private var unwatched: [ObjectIdentifier: SelectorReaders] = [:]
  /// The others, by tracker.
  private var watchers: [ObjectIdentifier: GroupWatchers] = [:]

  /// The regions that read a selector, by the identity of its memo.
  subscript(memo: ObjectIdentifier) -> SelectorReaders? { self.all[memo] }

  /// Whether a region reads this selector.
  func contains(_ read: SelectorRead) -> Bool {
    self.all[ObjectIdentifier(read.memo)] != nil
  }

  /// Records that a region reads a selector.
  ///
  /// - Returns: The size of what the selector keeps, if no other region reads it.
  /// - Complexity: O(k), k groups of rows that the selector depends on.
  mutating func add(_ region: Region, reading read: SelectorRead) -> Int {
    let id = ObjectIdentifier(read.memo)
    if let known = self.all[id] {
      known.regions[ObjectIdentifier(region)] = region
      return 0
    }
    let readers = SelectorReaders(read, by: region)
    self.all[id] = readers
    if let watched = readers.watched {
      let watchers = GroupWatchers(watched.tracker)
      self.watchers[ObjectIdentifier(watched.tracker), default: watchers]
        .add(readers, id, in: watched.keys)
    } else {
      self.unwatched[id] = readers
    }
    return readers.bytes
  }

  /// Records that a region no longer reads a selector.
  ///
  /// - Returns: The size that was counted for the selector, if no other region reads it.
  /// - Complexity: O(k), k groups of rows that the selector depends on.
  mutating func remove(_ region: Region, reading read: SelectorRead) -> Int {
    let id = ObjectIdentifier(read.memo)
    guard let readers = self.all[id] else { return 0 }
    readers.regions[ObjectIdentifier(region)] = nil
    guard readers.regions.isEmpty else { return 0 }
    self.all[id] = nil
    self.unwatched[id] = nil
    if let watched = readers.watched {
      let tracker = ObjectIdentifier(watched.tracker)
      self.watchers[tracker]?.remove(id, from: watched.keys)
      if self.watchers[tracker]?.isEmpty == true { self.watchers[tracker] = nil }
    }
    return readers.bytes
  }

  /// The selectors that may have changed since a version.
  ///
  /// - Complexity: O(u + d), u selectors that do not depend on groups of rows, d rows that have
  ///   changed and selectors that depend on them.
  func readers(
    changedSince version: UInt64,
    in scope: any AnyRenderScope
  ) -> [SelectorReaders] {
    var readers = Array(self.unwatched.values)
    for watchers in self.watchers.values {
      let changed = watchers.readers(changedSince: version, in: scope)
      readers += changed.values
      if scope.counters.isAuditing { watchers.audit(besides: changed, in: scope) }
    }
    return readers
  }
}

/// The selectors that depend on groups of one table.
private struct GroupWatchers {
  typealias Readers = SelectorReaders

  private let tracker: any RowTracker
  private var all: [ObjectIdentifier: Readers] = [:]
  private var byGroup: [GroupKey: [ObjectIdentifier: Readers]] = [:]

  init(_ tracker: any RowTracker) {
    self.tracker = tracker
  }

  var isEmpty: Bool { self.all.isEmpty }

  mutating func add(_ readers: Readers, _ id: ObjectIdentifier, in groups: [GroupKey]) {
    self.all[id] = readers
    for group in groups { self.byGroup[group, default: [:]][id] = readers }
  }

  mutating func remove(_ id: ObjectIdentifier, from groups: [GroupKey]) {
    self.all[id] = nil
    for group in groups {
      self.byGroup[group]?[id] = nil
      if self.byGroup[group]?.isEmpty == true { self.byGroup[group] = nil }
    }
  }

  /// The selectors whose groups have changed since a version. If it is unknown which groups have
  /// changed, all selectors.
  func readers(
    changedSince version: UInt64,
    in scope: any AnyRenderScope
  ) -> [ObjectIdentifier: Readers] {
    guard let groups = self.tracker.changes(since: version, in: scope) else { return self.all }
    if groups.count == 1, let group = groups.first { return self.byGroup[group] ?? [:] }
    return groups.reduce(into: [:]) { readers, group in
      if let others = self.byGroup[group] { readers.merge(others) { reader, _ in reader } }
    }
  }

  /// Checks that no selector has changed among those that the frame does not update.
  func audit(
    besides changed: [ObjectIdentifier: Readers],
    in scope: any AnyRenderScope
  ) {
    for (id, readers) in self.all where changed[id] == nil {
      scope.counters.audit {
        guard readers.memo.isCurrent(in: scope) == false else { return nil }
        return "\(readers.memo.label) depends on rows outside its groups"
      }
    }
  }
}
