import Foundation

/// Estimates the memory that a value takes, without visiting all elements of a collection.
package enum HeapEstimate {
  /// The number of elements of a collection that stand for all of them.
  private static let sampleCount = 16

  /// - Complexity: O(p), p properties; a small action takes some microseconds.
  package static func bytes(of value: Any) -> Int { Self.bytes(of: value, depth: 0) }

  private static func bytes(of value: Any, depth: Int) -> Int {
    // Failed casts are slow, and most values are neither.
    let type = Swift.type(of: value)
    if type == String.self, let text = value as? String { return 16 + text.utf8.count }
    if type == Data.self, let data = value as? Data { return 16 + data.count }
    let mirror = Mirror(reflecting: value)
    guard depth < 12 else { return 64 }
    switch mirror.displayStyle {
    case .collection, .set, .dictionary:
      let (count, sample) = (mirror.children.count, mirror.children.prefix(Self.sampleCount))
      guard sample.isEmpty == false else { return 16 }
      let bytes = sample.reduce(0) { $0 + 16 + Self.bytes(of: $1.value, depth: depth + 1) }
      return 16 + bytes * count / sample.count
    default:
      return mirror.children.reduce(16) { $0 + Self.bytes(of: $1.value, depth: depth + 1) }
    }
  }
}
