import Foundation
import ImmutableRuntime
import Synchronization

/// Something that developer pages show.
enum Happening: Sendable {
  case action(Recorded)
  /// A frame comes after the actions that it shows.
  case frame(FrameCost, at: Date)
  case visit(LoggedVisit)
}

/// What has happened but is not in the developers' Store yet. While nobody looks at a developer
/// page, it goes to the Store in batches, because a dispatch costs more than keeping the values.
final class Happenings: Sendable {
  /// The minimum size of a batch while nobody looks at a developer page.
  static let limit = 64

  private struct Contents {
    /// Oldest first. Bounded by ``Happenings/limit`` and the main actor's next turn.
    var waiting: [Happening] = []
    var isWatched = false
    /// Whether a dispatch to the Store is already scheduled.
    var isDue = false
  }

  private let contents = Mutex(Contents())

  /// Whether somebody looks at a developer page. If so, everything goes to the Store at once.
  var isWatched: Bool {
    get { self.contents.withLock { $0.isWatched } }
    set { self.contents.withLock { $0.isWatched = newValue } }
  }

  /// Whether a dispatch to the Store is already scheduled.
  var isDue: Bool { self.contents.withLock { $0.isDue } }

  /// - Returns: Whether the caller must schedule a dispatch to the Store.
  func add(_ happening: Happening) -> Bool {
    self.contents.withLock { contents in
      contents.waiting.append(happening)
      guard contents.isDue == false,
        contents.isWatched || contents.waiting.count >= Self.limit
      else { return false }
      contents.isDue = true
      return true
    }
  }

  /// Removes and returns everything that waits for the Store.
  func take() -> [Happening] {
    self.contents.withLock { contents in
      defer {
        contents.waiting = []
        contents.isDue = false
      }
      return contents.waiting
    }
  }
}
