import ImmutableUI

/// The number of windows that show each page of a product, and the number that they were last sent.
///
/// Above 100 the number is rounded down to two digits, so that a page with many windows does not
/// notify all of them whenever one more arrives.
struct Presence {
  /// Both have at most an entry for each page.
  private var counts: [PagePath: Int] = [:]
  private var told: [PagePath: Int] = [:]

  /// A window moves from one page to another; `nil` means that it opens or closes.
  mutating func move(from old: PagePath?, to new: PagePath?) {
    guard old != new else { return }
    if let old { self.counts[old, default: 0] -= 1 }
    if let new { self.counts[new, default: 0] += 1 }
  }

  /// The number to send to a window that comes to a page.
  ///
  /// - Parameter isNew: Whether it was elsewhere before.
  mutating func tell(_ path: PagePath, isNew: Bool) -> Int {
    let windows = Self.rounded(self.counts[path, default: 0] + (isNew ? 1 : 0))
    // The other windows have an older number, so all are notified with the next frame.
    if self.told[path] != windows { self.told[path] = nil }
    return windows
  }

  /// The pages whose windows must be notified, with the number of their windows.
  ///
  /// - Complexity: O(p), p pages.
  mutating func take() -> [PagePath: Int] {
    var changed: [PagePath: Int] = [:]
    for (path, count) in self.counts where self.told[path] != Self.rounded(count) {
      changed[path] = Self.rounded(count)
      self.told[path] = Self.rounded(count)
    }
    return changed
  }

  private static func rounded(_ count: Int) -> Int {
    var unit = 1
    while count / unit >= 100 { unit *= 10 }
    return count / unit * unit
  }
}
