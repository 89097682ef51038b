import Foundation
import ImmutableRuntime
import Synchronization

/// Something that developer pages show.
enum Happening: Sendable {
  case action(Recorded)
  /// The product has a state to which actions have led that this process has not read.
  case skip(product: String, DeveloperState.Present)
  /// A frame comes after the actions that it shows.
  case frame(FrameCost, at: Date)
  case visit(LoggedVisit)
}

/// What has happened but is not in the developers' Store yet. While nobody looks at a developer
/// page, it goes to the Store in batches, because a dispatch costs more than keeping the values.
/// While somebody does, it goes there four times a second, because each dispatch renders what they see.
final class Happenings: Sendable {
  /// The size of a batch while nobody looks at a developer page, and its maximum size otherwise.
  static let limit = 64
  static let watchedLimit = 1_000
  /// The minimum time between two dispatches to the Store while somebody looks.
  static let pause = Duration.milliseconds(250)

  private struct Contents {
    /// Oldest first. Bounded by ``Happenings/watchedLimit`` and the main actor's next turn.
    var waiting: [Happening] = []
    var isWatched = false
    /// The number of the scheduled dispatch to the Store; `nil` if none is scheduled.
    var due: Int?
    /// How many dispatches have been scheduled.
    var scheduled = 0
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
  var isDue: Bool { self.contents.withLock { $0.due != nil } }

  /// - Returns: How long the caller must wait before it updates the Store, and the number with which
  ///   it then takes; `nil` if it need not update the Store.
  func add(
    _ happening: Happening, at time: ContinuousClock.Instant = .now
  ) -> (pause: Duration, number: Int)? {
    self.contents.withLock { contents in
      contents.waiting.append(happening)
      let isFull =
        contents.waiting.count == (contents.isWatched ? Self.watchedLimit : Self.limit)
      guard isFull || contents.isWatched && contents.due == nil else { return nil }
      contents.scheduled += 1
      contents.due = contents.scheduled
      let pause = contents.newestTake + Self.pause - time
      return (pause: isFull ? .zero : max(.zero, pause), number: contents.scheduled)
    }
  }

  /// Removes and returns everything that waits for the Store.
  ///
  /// - Parameter number: The number of a scheduled dispatch. If something else has taken since, there
  ///   is nothing to take; `nil` takes at once.
  func take(
    _ number: Int? = nil, at time: ContinuousClock.Instant = .now
  ) -> [Happening] {
    self.contents.withLock { contents in
      guard number == nil || number == contents.due else { return [] }
      defer {
        contents.waiting = []
        contents.due = nil
        contents.newestTake = time
      }
      return contents.waiting
    }
  }
}
