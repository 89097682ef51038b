import ImmutableData
import Logging

/// The guide's debug output of a store: each action with the states before and after.
///
/// Source: the guide, chapter AnimalsData, section Listener.
enum ActionLogger {
  /// Starts to log at level debug.
  @MainActor static func start<State, Action>(
    _ store: Store<State, Action>,
    _ logger: Logger
  ) -> Task<Void, Never> {
    let stream = store.makeStream()
    return Task { @MainActor in
      for await (oldState, action) in stream {
        logger.debug(
          "action",
          metadata: [
            "action": "\(action)", "oldState": "\(oldState)", "newState": "\(store.state)",
          ]
        )
      }
    }
  }
}
