/// Puts the actions of a store into an order that other stores share, before they are reduced.
///
/// A ``Store`` with a sequencer reduces nothing by itself: it sends its actions away, and whoever reads
/// the order applies them (``Store/apply(_:version:from:)``), its own and those of others. Effects run
/// only in the store that an action came from.
public protocol ActionSequencer<Action>: Sendable {
  associatedtype Action: Sendable

  /// Sends an action that nobody waits for. Actions that are sent keep their order.
  @MainActor func send(_ action: Action)

  /// Sends an action, and waits until it was reduced.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - id: Identifies it in all stores: another action with this id is not reduced.
  /// - Returns: Its version.
  /// - Throws: What the reducer throws, and then nothing has changed; or why it could not be sent.
  @MainActor func post(_ action: Action, id: String) async throws -> UInt64

  /// The version of the action that was posted with an id; `nil` if none is known.
  ///
  /// - Throws: What the reducer has thrown for it; or why nobody can say.
  @MainActor func version(ofPost id: String) async throws -> UInt64?
}
