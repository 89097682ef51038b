public import ImmutableData
public import Logging

/// Logs actions, each with its origin and the changes that it made.
///
/// The guide's debug output has the whole state before and after an action, which is unreadable
/// once there are many rows.
///
/// Source: the guide, chapter AnimalsData, section Listener.
public enum ActionLogger {
  /// Starts to log at level debug, for as long as the store lives.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are logged. They hold what users type.
  ///   - logger: Receives the messages.
  @MainActor public static func start<State, Action>(
    _ store: ImmutableData.Store<State, Action>,
    _ logger: Logger
  ) {
    store.record { dispatch in
      let action = ActionName(dispatch.action)
      var metadata: Logger.Metadata = [
        "action": "\(action.payload.isEmpty ? action.cases : "\(action.cases)(\(action.payload))")",
        "version": "\(dispatch.version)",
      ]
      if let origin = dispatch.origin { metadata["origin"] = "\(origin.text)" }
      switch dispatch.result {
      case .success(let state):
        let difference = StateDifference(from: dispatch.oldState, to: state)
        metadata["changes"] = "\(difference)"
      case .failure(let error):
        metadata["refusal"] = "\(error)"
      }
      logger.debug("action", metadata: metadata)
    }
  }
}

extension StateDifference: CustomStringConvertible {
  /// The changes in one line.
  public var description: String {
    let changes = self.changes.map(\.description)
    let further = self.furtherCount > 0 ? ["\(self.furtherCount) more"] : []
    return (changes + further).joined(separator: "; ")
  }
}
