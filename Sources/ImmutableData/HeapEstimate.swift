import Foundation

/// Estimates the memory that a value takes, without visiting all of it.
package enum HeapEstimate {
  /// The number of elements of a collection that stand for all of them.
  private static let sampleCount = 16
  /// The number of values that are visited. What is left then counts as nothing.
  private static let visitCount = 256

  /// - Complexity: O(1), plus counting the elements of collections that do not know their number.
  package static func bytes(of value: Any) -> Int {
    var visits = Self.visitCount
    return Self.stride(of: value) + Self.heapBytes(of: value, &visits)
  }

  /// The memory that a value refers to.
  private static func heapBytes(of value: Any, _ visits: inout Int) -> Int {
    guard visits > 0, Self.refersToNothing(value) == false else { return 0 }
    visits -= 1
    // Failed casts are slow, and most values are neither.
    let type = Swift.type(of: value)
    if type == String.self, let text = value as? String {
      return text.utf8.count < 16 ? 0 : 32 + text.utf8.count
    }
    if type == Data.self, let data = value as? Data { return 32 + data.count }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary:
      guard let first = mirror.children.first?.value else { return 0 }
      let elements = 32 + mirror.children.count * Self.stride(of: first)
      let sample = mirror.children.prefix(Self.sampleCount)
      let bytes = sample.reduce(0) { $0 + Self.heapBytes(of: $1.value, &visits) }
      return elements + bytes * mirror.children.count / sample.count
    case .class:
      return mirror.children.reduce(16) { bytes, child in
        bytes + Self.stride(of: child.value) + Self.heapBytes(of: child.value, &visits)
      }
    default:
      return mirror.children.reduce(0) { $0 + Self.heapBytes(of: $1.value, &visits) }
    }
  }

  /// Whether its bytes are all it has, as those of numbers and dates. Reflection would find that too, but
  /// takes a hundred times as long.
  private static func refersToNothing(_ value: Any) -> Bool {
    func isPlain<Value>(_ type: Value.Type) -> Bool { _isPOD(type) }
    return _openExistential(type(of: value), do: isPlain)
  }

  /// The memory of the value itself, in an array.
  private static func stride(of value: Any) -> Int {
    func stride<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.stride }
    return _openExistential(type(of: value), do: stride)
  }
}

// States.
extension HeapEstimate {
  /// The memory that a state takes besides what it shares with the state before it: the arrays, sets,
  /// dictionaries, texts and data that are not the same. Other collections, such as tables, share what
  /// has not changed, and what has changed came with an action.
  ///
  /// - Complexity: O(p), p parts of what differs. Elements of collections are not visited.
  package static func copiedBytes(from old: Any, to new: Any) -> Int {
    var visits = Self.visitCount
    return Self.copiedBytes(from: old, to: new, &visits)
  }

  private static func copiedBytes(from old: Any, to new: Any, _ visits: inout Int) -> Int {
    guard visits > 0, Self.isCopy(new, of: old) == false else { return 0 }
    visits -= 1
    if let copied = new as? any CopiedAtOnce { return copied.copiedBytes }
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    switch after.displayStyle {
    case .collection, .set, .dictionary, .class: return 0
    default:
      var bytes = 0
      for (old, new) in zip(before.children, after.children) {
        bytes += Self.copiedBytes(from: old.value, to: new.value, &visits)
      }
      return bytes
    }
  }

  /// Whether two values consist of the same bytes. Then they are equal, and share all memory that they
  /// refer to. This is common, because a reducer returns most parts of a state unchanged.
  package static func isCopy(_ new: Any, of old: Any) -> Bool {
    func isCopy<Value>(_ new: Value) -> Bool {
      guard let old = old as? Value else { return false }
      return withUnsafeBytes(of: old) { old in
        withUnsafeBytes(of: new) { new in
          guard let oldStart = old.baseAddress, let newStart = new.baseAddress else { return true }
          return memcmp(oldStart, newStart, new.count) == 0
        }
      }
    }
    return _openExistential(new, do: isCopy)
  }
}

/// A value that is copied as a whole when a part of it changes.
private protocol CopiedAtOnce {
  /// The size of the copy in memory, without what its elements refer to.
  var copiedBytes: Int { get }
}

extension Array: CopiedAtOnce {
  fileprivate var copiedBytes: Int { 32 + self.count * MemoryLayout<Element>.stride }
}

// Tables of hashes are at most three quarters full.
extension Set: CopiedAtOnce {
  fileprivate var copiedBytes: Int { 64 + self.count * MemoryLayout<Element>.stride * 4 / 3 }
}

extension Dictionary: CopiedAtOnce {
  fileprivate var copiedBytes: Int {
    64 + self.count * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride) * 4 / 3
  }
}

extension String: CopiedAtOnce {
  fileprivate var copiedBytes: Int { self.utf8.count < 16 ? 0 : 32 + self.utf8.count }
}

extension Data: CopiedAtOnce {
  fileprivate var copiedBytes: Int { 32 + self.count }
}
