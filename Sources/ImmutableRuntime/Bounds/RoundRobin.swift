import DequeModule

/// A collection that hands out its elements one by one.
protocol Line<Element> {
  associatedtype Element
  var isEmpty: Bool { get }
  mutating func popFirst() -> Element?
}

extension Deque: Line {}

/// Lines that take turns: the first element of each, then the next element of each.
struct RoundRobin<Key: Hashable, Inner: Line>: Line {
  /// None of them is empty. Bounded by the elements.
  private var lines: [Key: Inner] = [:]
  /// The keys of the lines, in the order of their turns.
  private var order: Deque<Key> = []

  var isEmpty: Bool { self.order.isEmpty }

  /// - Parameters:
  ///   - key: The key of a line.
  ///   - empty: The line to use if the key is new.
  ///   - add: Adds an element to it.
  /// - Complexity: O(1).
  mutating func add(to key: Key, orElse empty: Inner, _ add: (inout Inner) -> Void) {
    if self.lines[key] == nil { self.order.append(key) }
    add(&self.lines[key, default: empty])
  }

  /// - Complexity: O(1).
  mutating func popFirst() -> Inner.Element? {
    guard let key = self.order.popFirst() else { return nil }
    let element = self.lines[key]?.popFirst()
    if self.lines[key]?.isEmpty == false {
      self.order.append(key)
    } else {
      self.lines[key] = nil
    }
    return element
  }
}
