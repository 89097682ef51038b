import ImmutableRuntime

/// Pages in one state of a recording after another. Each state continues from the one before, with
/// which its pages have most in common.
struct SuccessivePages {
  private let windows: WindowGroup
  private let moveLimit: Int
  private var pages: PastPages?
  private var moves = 0

  /// - Parameter moveLimit: How many states continue from the one before, until pages are rendered from
  ///   scratch again.
  init(_ windows: WindowGroup, moveLimit: Int) {
    self.windows = windows
    self.moveLimit = moveLimit
  }

  /// The pages in the next state. They are no longer those of the state before.
  mutating func move(to state: any Sendable) -> PastPages {
    if let pages = self.pages, self.moves < self.moveLimit {
      pages.move(to: state)
      self.moves += 1
      return pages
    }
    let pages = self.windows.past(in: state)
    (self.pages, self.moves) = (pages, 0)
    return pages
  }
}
