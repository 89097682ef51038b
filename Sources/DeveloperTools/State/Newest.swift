/// The newest values of a kind, numbered consecutively. The oldest make room for others.
struct Newest<Value: Kept>: Sendable {
  /// Oldest first.
  private(set) var all: [Value] = []
  /// The approximate memory that they take, in bytes.
  private(set) var bytes = 0
  /// The number of the newest.
  private var number = 0

  /// - Parameter make: Makes the value with a number.
  mutating func append(_ make: (_ number: Int) -> Value) {
    self.number += 1
    let value = make(self.number)
    self.all.append(value)
    self.bytes += value.bytes
    while self.all.count > Value.countLimit || self.bytes > Value.byteLimit && self.all.count > 1 {
      self.bytes -= self.all.removeFirst().bytes
    }
  }

  /// Removes all values. The numbers continue.
  mutating func removeAll() {
    self.all = []
    self.bytes = 0
  }
}

/// A value of which only the newest are kept. It never changes, so its number stands for it.
protocol Kept: Identifiable, Hashable, Sendable where ID == Int {
  /// The maximum number of values, and their maximum size in bytes, approximately.
  static var countLimit: Int { get }
  static var byteLimit: Int { get }
  /// The approximate memory that it takes, in bytes.
  var bytes: Int { get }
}

extension Kept {
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}
