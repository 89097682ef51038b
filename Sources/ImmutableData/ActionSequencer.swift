import Foundation

/// Puts the actions of a store into an order that other stores share, before they are reduced.
///
/// A ``Store`` with a sequencer does not reduce its actions directly. It sends them to the
/// sequencer, and the reader of the shared order applies all actions, those of this store and those
/// of others (``Store/apply(_:version:from:)``). Effects run only in the store that an action came
/// from.
public protocol ActionSequencer<Action>: Sendable {
  associatedtype Action: Sendable

  /// Sends an action without waiting for it. Actions keep the order in which they are sent.
  ///
  /// - Throws: An error if the action can never be sent, for example ``ActionTooLargeError``.
  @MainActor func send(_ action: Action) throws

  /// Sends an action and waits until it has been reduced.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - id: Identifies it in all stores: another action with this id is not reduced.
  /// - Returns: Its version.
  /// - Throws: The reducer's error, in which case nothing has changed; or an error that says why
  ///   the action could not be sent.
  @MainActor func post(_ action: Action, id: String) async throws -> UInt64

  /// Waits until the store has reduced every action that is in the order by now.
  ///
  /// - Throws: An error that says why it cannot.
  @MainActor func catchUp() async throws

  /// The version of the action that was posted with an id; `nil` if none is known.
  ///
  /// - Throws: The error that the reducer threw for it; or an error that says why the result is
  ///   unknown.
  @MainActor func version(ofPost id: String) async throws -> UInt64?
}

/// The error of an action that is too large for its sequencer.
package struct ActionTooLargeError: LocalizedError {
  package init() {}

  /// What visitors read.
  package static let sentence = "This is more than can be saved at once. Nothing has changed."

  package var errorDescription: String? { Self.sentence }
}
