import ImmutableUI

/// A dictionary whose values take at most a number of bytes. The oldest values are evicted first.
///
/// Every collection that requests can fill either is a `Cache` or says what else bounds it.
struct Cache<Key: Hashable, Value> {
  private struct Slot {
    let key: Key
    let value: Value
    let bytes: Int
    var older: Int?
    var newer: Int?
  }

  /// The bytes of an entry besides its value: the slot, the index, and the spare capacity of both.
  private static var overhead: Int {
    2 * (MemoryLayout<Slot>.stride + MemoryLayout<Key>.stride + MemoryLayout<Int>.stride) + 32
  }

  /// The maximum size of all entries, in bytes.
  let limit: Int
  /// The size of all entries, in bytes.
  private(set) var bytes = 0

  private var indices: [Key: Int] = [:]
  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var oldest: Int?
  private var newest: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { self.indices.count }

  subscript(key: Key) -> Value? {
    self.indices[key].flatMap { self.slots[$0]?.value }
  }

  /// The oldest entry.
  var first: (key: Key, value: Value)? {
    self.oldest.flatMap { self.slots[$0] }.map { ($0.key, $0.value) }
  }

  /// Inserts a value and replaces the key's old one.
  ///
  /// - Parameter bytes: The size of the value, including its heap allocations.
  /// - Returns: The values that were evicted; the value itself if it is larger than the limit.
  /// - Complexity: O(1), amortised, and O(k) for k evicted entries.
  @discardableResult
  mutating func insert(_ value: Value, for key: Key, bytes: Int) -> [Value] {
    self.removeValue(for: key)
    let bytes = bytes + Self.overhead
    guard bytes <= self.limit else { return [value] }
    let slot = Slot(key: key, value: value, bytes: bytes, older: self.newest, newer: nil)
    let index: Int
    if let last = self.free.popLast() {
      index = last
      self.slots[index] = slot
    } else {
      index = self.slots.count
      self.slots.append(slot)
    }
    if let newest = self.newest { self.slots[newest]?.newer = index } else { self.oldest = index }
    self.newest = index
    self.indices[key] = index
    self.bytes += bytes
    var gone: [Value] = []
    while self.bytes > self.limit, let first = self.first {
      self.removeValue(for: first.key)
      gone.append(first.value)
    }
    return gone
  }

  /// - Complexity: O(1), amortised.
  @discardableResult
  mutating func removeValue(for key: Key) -> Value? {
    guard let index = self.indices.removeValue(forKey: key), let slot = self.slots[index] else {
      return nil
    }
    if let older = slot.older {
      self.slots[older]?.newer = slot.newer
    } else {
      self.oldest = slot.newer
    }
    if let newer = slot.newer {
      self.slots[newer]?.older = slot.older
    } else {
      self.newest = slot.older
    }
    self.slots[index] = nil
    self.free.append(index)
    self.bytes -= slot.bytes
    if self.indices.isEmpty {
      self = Cache(limit: self.limit)
    }
    return slot.value
  }

  /// Removes the oldest values while the condition holds.
  mutating func removeOldest(while condition: (Value) -> Bool) {
    while let first = self.first, condition(first.value) {
      self.removeValue(for: first.key)
    }
  }
}
