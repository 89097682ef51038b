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
/// While somebody does, it goes there ten times a second, because each dispatch renders what they see.
final class Happenings: Sendable {
  /// The size of a batch while nobody looks at a developer page, and its maximum size otherwise.
  static let limit = 64
  static let watchedLimit = 1_000
  /// The minimum time between two dispatches to the Store while somebody looks.
  static let pause = Duration.milliseconds(100)

  private struct Contents {
    /// Oldest first. Bounded by ``Happenings/watchedLimit`` and the main actor's next turn.
    var waiting: [Happening] = []
    var isWatched = false
    /// Whether a dispatch to the Store is already scheduled.
    var isDue = false
    /// When something last went to the Store.
    var newestTake = ContinuousClock.now
  }

  private let contents = Mutex(Contents())

  /// Whether somebody looks at a developer page. If so, everything goes to the Store soon.
  var isWatched: Bool {
    get { self.contents.withLock { $0.isWatched } }
    set { self.contents.withLock { $0.isWatched = newValue } }
  }

  /// Whether a dispatch to the Store is already scheduled.
  var isDue: Bool { self.contents.withLock { $0.isDue } }

  /// - Returns: How long the caller must wait before it updates the Store; `nil` if it need not.
  func add(_ happening: Happening, at time: ContinuousClock.Instant = .now) -> Duration? {
    self.contents.withLock { contents in
      contents.waiting.append(happening)
      let isFull =
        contents.waiting.count == (contents.isWatched ? Self.watchedLimit : Self.limit)
      guard isFull || contents.isWatched && contents.isDue == false else { return nil }
      contents.isDue = true
      let pause = contents.newestTake + Self.pause - time
      return isFull ? Duration.zero : max(.zero, pause)
    }
  }

  /// Removes and returns everything that waits for the Store.
  func take(at time: ContinuousClock.Instant = .now) -> [Happening] {
    self.contents.withLock { contents in
      defer {
        contents.waiting = []
        contents.isDue = false
        contents.newestTake = time
      }
      return contents.waiting
    }
  }
}
