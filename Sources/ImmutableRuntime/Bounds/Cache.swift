import ImmutableUI

/// A dictionary whose values take at most a number of bytes. The oldest values are evicted first.
///
/// If it is shared, each client may take a quarter of the bytes. What a client adds beyond that
/// evicts the client's own oldest values, so no client can evict the values of all others.
///
/// Every collection that requests can fill either is a `Cache` or says what else bounds it.
struct Cache<Key: Hashable, Value> {
  private struct Slot {
    let key: Key
    let value: Value
    let bytes: Int
    let client: String
    private var neighborsOfAll = Neighbors()
    private var neighborsInShare = Neighbors()

    init(key: Key, value: Value, bytes: Int, client: String) {
      self.key = key
      self.value = value
      self.bytes = bytes
      self.client = client
    }

    /// A key path would be created each time that it is used, because the type is generic.
    subscript(neighbors scope: AgeList.Scope) -> Neighbors {
      get { scope == .all ? self.neighborsOfAll : self.neighborsInShare }
      set {
        switch scope {
        case .all: self.neighborsOfAll = newValue
        case .share: self.neighborsInShare = newValue
        }
      }
    }
  }

  private struct Neighbors {
    var older: Int?
    var newer: Int?
  }

  /// Values by age.
  private struct AgeList {
    enum Scope {
      case all
      /// Those of one client, if the cache is shared.
      case share
    }

    var oldest: Int?
    var newest: Int?
    var bytes = 0
  }

  /// The bytes of an entry besides its value: the slot, the index, and the spare capacity of both.
  private static var overhead: Int {
    2 * (MemoryLayout<Slot>.stride + MemoryLayout<Key>.stride + MemoryLayout<Int>.stride) + 32
  }

  /// The bytes of a share besides its values. Each entry is counted with as many, because it may be
  /// the only one of its client.
  private static var shareOverhead: Int {
    2 * (MemoryLayout<String>.stride + MemoryLayout<AgeList>.stride) + 32
  }

  /// The maximum size of all entries, in bytes.
  let limit: Int
  private let isShared: Bool

  private var indices: [Key: Int] = [:]
  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var list = AgeList()
  /// The shares of the clients that have values.
  private var shares: [String: AgeList] = [:]

  /// - Parameters:
  ///   - limit: The maximum size of all entries, in bytes.
  ///   - isShared: Whether each client may take only a quarter of it.
  init(limit: Int, isShared: Bool = false) {
    self.limit = limit
    self.isShared = isShared
  }

  var count: Int { self.indices.count }
  /// The size of all entries, in bytes.
  var bytes: Int { self.list.bytes }

  subscript(key: Key) -> Value? {
    self.indices[key].flatMap { self.slots[$0]?.value }
  }

  /// The oldest entry.
  var first: (key: Key, value: Value)? {
    self.list.oldest.flatMap { self.slots[$0] }.map { ($0.key, $0.value) }
  }

  /// Inserts a value and replaces the key's old one.
  ///
  /// - Parameters:
  ///   - bytes: The size of the value, including its heap allocations.
  ///   - client: The network of the client whose value it is, if the cache is shared.
  /// - Returns: The values that were evicted; the value itself if it is larger than the limit, or
  ///   than a quarter of it if the cache is shared.
  /// - Complexity: O(1), amortised, and O(k) for k evicted entries.
  @discardableResult
  mutating func insert(
    _ value: Value,
    for key: Key,
    bytes: Int,
    of client: String = ""
  ) -> [Value] {
    self.removeValue(for: key)
    let bytes = bytes + self.entryOverhead
    let share = self.isShared ? self.limit / 4 : self.limit
    guard bytes <= share else { return [value] }
    let index = self.store(Slot(key: key, value: value, bytes: bytes, client: client))
    self.indices[key] = index
    Self.append(index, bytes, to: &self.list, in: &self.slots, .all)
    var gone: [Value] = []
    if self.isShared {
      Self.append(
        index, bytes, to: &self.shares[client, default: AgeList()], in: &self.slots, .share)
      while let list = self.shares[client], list.bytes > share, let oldest = list.oldest {
        gone.append(self.remove(at: oldest))
      }
    }
    while self.list.bytes > self.limit, let oldest = self.list.oldest {
      gone.append(self.remove(at: oldest))
    }
    return gone
  }

  /// - Complexity: O(1), amortised.
  @discardableResult
  mutating func removeValue(for key: Key) -> Value? {
    self.indices[key].map { self.remove(at: $0) }
  }

  /// Makes a key's value, if there is one, the newest.
  ///
  /// - Returns: The value.
  /// - Complexity: O(1), amortised.
  @discardableResult
  mutating func renew(_ key: Key) -> Value? {
    guard let slot = self.indices[key].flatMap({ self.slots[$0] }) else { return nil }
    self.insert(slot.value, for: key, bytes: slot.bytes - self.entryOverhead, of: slot.client)
    return slot.value
  }

  private var entryOverhead: Int { Self.overhead + (self.isShared ? Self.shareOverhead : 0) }

  /// Removes the oldest values while the condition holds.
  mutating func removeOldest(while condition: (Value) -> Bool) {
    while let first = self.first, condition(first.value) {
      self.removeValue(for: first.key)
    }
  }

  private mutating func store(_ slot: Slot) -> Int {
    guard let index = self.free.popLast() else {
      self.slots.append(slot)
      return self.slots.count - 1
    }
    self.slots[index] = slot
    return index
  }

  private mutating func remove(at index: Int) -> Value {
    guard let slot = self.slots[index] else { preconditionFailure("there is no such slot") }
    self.indices[slot.key] = nil
    Self.remove(slot, from: &self.list, in: &self.slots, .all)
    if self.isShared {
      Self.remove(
        slot, from: &self.shares[slot.client, default: AgeList()], in: &self.slots, .share)
      if self.shares[slot.client]?.oldest == nil { self.shares[slot.client] = nil }
    }
    self.slots[index] = nil
    self.free.append(index)
    if self.indices.isEmpty {
      self = Cache(limit: self.limit, isShared: self.isShared)
    }
    return slot.value
  }

  private static func append(
    _ index: Int,
    _ bytes: Int,
    to list: inout AgeList,
    in slots: inout [Slot?],
    _ scope: AgeList.Scope
  ) {
    slots[index]?[neighbors: scope].older = list.newest
    if let newest = list.newest {
      slots[newest]?[neighbors: scope].newer = index
    } else {
      list.oldest = index
    }
    list.newest = index
    list.bytes += bytes
  }

  private static func remove(
    _ slot: Slot,
    from list: inout AgeList,
    in slots: inout [Slot?],
    _ scope: AgeList.Scope
  ) {
    let removed = slot[neighbors: scope]
    if let older = removed.older {
      slots[older]?[neighbors: scope].newer = removed.newer
    } else {
      list.oldest = removed.newer
    }
    if let newer = removed.newer {
      slots[newer]?[neighbors: scope].older = removed.older
    } else {
      list.newest = removed.older
    }
    list.bytes -= slot.bytes
  }
}
