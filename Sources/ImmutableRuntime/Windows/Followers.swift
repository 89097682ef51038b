import Synchronization

/// Observers of events, such as recorders. While there are none, events cost next to nothing.
final class Followers<Event: Sendable>: Sendable {
  /// One for each call of ``add(_:)``.
  private let followers = Mutex<[@Sendable (Event) -> Void]>([])

  var isEmpty: Bool { self.followers.withLock { $0.isEmpty } }

  /// Calls a closure with every event from now on.
  func add(_ body: @escaping @Sendable (Event) -> Void) {
    self.followers.withLock { $0.append(body) }
  }

  /// - Parameter event: Makes the event. It is called only if there are observers; `nil` if there
  ///   is no event.
  func tell(_ event: () -> Event?) {
    let followers = self.followers.withLock { $0 }
    guard followers.isEmpty == false, let event = event() else { return }
    for follower in followers { follower(event) }
  }
}
