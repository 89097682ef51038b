import Synchronization

/// Texts with letters beyond ASCII, folded: folding one takes microseconds, and every search does it
/// with each name that it looks at.
///
/// It keeps at most `byteLimit` bytes. Beyond that, it keeps what it has, because searches look at the
/// same names in the same order. It begins anew when it has folded eight times as many names that it
/// does not keep, because those that it keeps may be gone.
final class FoldedNames: Sendable {
  private static let patience = 8
  /// The names of all searches of the process. There is room for 10,000 of the longest: otherwise each
  /// search would fold some again, for a second.
  static let shared = FoldedNames(byteLimit: 24 << 20)

  private struct Table {
    var names: [String: FoldedText] = [:]
    var bytes = 0
    var misses = 0
  }

  private let byteLimit: Int
  private let table = Mutex(Table())

  /// - Parameter byteLimit: The maximum size of all names, in bytes.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  var count: Int { self.table.withLock(\.names.count) }
  var bytes: Int { self.table.withLock(\.bytes) }

  /// Searches fold at the same time; they wait for each other only to look a name up, and to keep it.
  ///
  /// - Complexity: O(n), n bytes.
  func fold(_ name: String) -> FoldedText {
    if let known = self.find(name) { return known }
    let folded = FoldedText(name)
    self.keep(folded, of: name)
    return folded
  }

  func find(_ name: String) -> FoldedText? {
    self.table.withLock { $0.names[name] }
  }

  private func keep(_ folded: FoldedText, of name: String) {
    // Both texts with their headers, and the entry of a table that is half full.
    let bytes = name.utf8.count + folded.bytes.count + 128
    guard bytes <= self.byteLimit else { return }
    self.table.withLock { table in
      if table.bytes + bytes > self.byteLimit {
        table.misses += 1
        guard table.misses > Self.patience * table.names.count else { return }
        table = Table()
      }
      // Another search may have folded it meanwhile.
      guard table.names.updateValue(folded, forKey: name) == nil else { return }
      table.bytes += bytes
    }
  }
}
