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
