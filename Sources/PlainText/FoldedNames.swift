import Synchronization

/// Texts with letters beyond ASCII, folded: folding one takes microseconds, and every search does it with
/// each name that it looks at.
///
/// It keeps at most ``byteLimit``. Beyond that, it begins anew.
struct FoldedNames: Sendable {
  static let byteLimit = 4 << 20
  private static let shared = Mutex(FoldedNames())

  private var names: [String: FoldedText] = [:]
  private(set) var bytes = 0

  var count: Int { self.names.count }

  /// A name, folded once for all searches of the process.
  static func fold(_ name: String) -> FoldedText {
    Self.shared.withLock { $0.fold(name) }
  }

  /// - Complexity: O(n), n bytes.
  mutating func fold(_ name: String) -> FoldedText {
    if let known = self.names[name] { return known }
    let folded = FoldedText(name)
    // Both texts with their headers, and the entry of a table that is half full.
    let bytes = name.utf8.count + folded.bytes.count + 128
    guard bytes <= Self.byteLimit else { return folded }
    if self.bytes + bytes > Self.byteLimit { self = FoldedNames() }
    self.names[name] = folded
    self.bytes += bytes
    return folded
  }
}
