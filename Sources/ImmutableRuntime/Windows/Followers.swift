import Synchronization

/// Those who want to be told of events, such as recorders. Telling costs next to nothing while there are
/// none.
final class Followers<Event: Sendable>: Sendable {
  /// One for each call of ``add(_:)``.
  private let followers = Mutex<[@Sendable (Event) -> Void]>([])

  var isEmpty: Bool { self.followers.withLock { $0.isEmpty } }

  /// Calls a closure with every event from now on.
  func add(_ body: @escaping @Sendable (Event) -> Void) {
    self.followers.withLock { $0.append(body) }
  }

  /// - Parameter event: Is made only if there is somebody to tell; `nil` if there is nothing to tell.
  func tell(_ event: () -> Event?) {
    let followers = self.followers.withLock { $0 }
    guard followers.isEmpty == false, let event = event() else { return }
    for follower in followers { follower(event) }
  }
}
