import ImmutableUI

/// How many windows show each page of a product, and what they were told about it.
///
/// Above 100 the number is rounded down to two digits, so that a page with many windows does not
/// tell all of them about every one that comes.
struct Presence {
  /// Both have at most an entry for each page.
  private var counts: [PagePath: Int] = [:]
  private var told: [PagePath: Int] = [:]

  /// A window goes from one page to another; `nil`: it comes, or goes.
  mutating func move(from old: PagePath?, to new: PagePath?) {
    guard old != new else { return }
    if let old { self.counts[old, default: 0] -= 1 }
    if let new { self.counts[new, default: 0] += 1 }
  }

  /// What a window is told that comes to a page.
  ///
  /// - Parameter isNew: Whether it was elsewhere before.
  mutating func tell(_ path: PagePath, isNew: Bool) -> Int {
    let windows = Self.rounded(self.counts[path, default: 0] + (isNew ? 1 : 0))
    // If it does not stay like this, all are told again.
    if self.told[path] != windows { self.told[path] = nil }
    return windows
  }

  /// The pages whose windows have to be told, and how many there are.
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
