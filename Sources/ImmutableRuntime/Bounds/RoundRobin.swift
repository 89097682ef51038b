import DequeModule

/// A collection that hands out its elements one by one.
protocol Queue<Element> {
  associatedtype Element
  var isEmpty: Bool { get }
  mutating func popFirst() -> Element?
}

extension Deque: Queue {}

/// Queues that take turns: the first element of each, then the next element of each.
struct RoundRobin<Key: Hashable, Inner: Queue>: Queue {
  /// None of them is empty. Bounded by the elements.
  private var queues: [Key: Inner] = [:]
  /// The keys of the queues, in the order of their turns.
  private var order: Deque<Key> = []

  var isEmpty: Bool { self.order.isEmpty }

  /// - Parameters:
  ///   - key: The key of a queue.
  ///   - empty: The queue to use if the key is new.
  ///   - add: Adds an element to it.
  /// - Complexity: O(1).
  mutating func add(to key: Key, orElse empty: Inner, _ add: (inout Inner) -> Void) {
    if self.queues[key] == nil { self.order.append(key) }
    add(&self.queues[key, default: empty])
  }

  /// - Complexity: O(1).
  mutating func popFirst() -> Inner.Element? {
    guard let key = self.order.popFirst() else { return nil }
    let element = self.queues[key]?.popFirst()
    if self.queues[key]?.isEmpty == false {
      self.order.append(key)
    } else {
      self.queues[key] = nil
    }
    return element
  }
}
