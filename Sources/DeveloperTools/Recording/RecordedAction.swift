import Foundation
import ImmutableData

/// An action in a recording.
struct RecordedAction<Action: Codable>: Codable {
  let version: UInt64
  let time: Date
  /// `nil` if it is unknown.
  let origin: String?
  let action: Action
  /// `nil` if the action was accepted.
  var refusal: String?
  /// The digest of the state after it.
  var digest: String

  /// - Parameter hasOrigin: Whether the recording may contain its origin.
  init<State>(
    _ dispatch: Dispatch<State, Action>,
    digest: String,
    time: Date = .now,
    hasOrigin: Bool = true
  ) {
    self.version = dispatch.version
    self.time = time
    self.origin = hasOrigin ? dispatch.origin?.text : nil
    self.action = dispatch.action
    self.refusal = if case .failure(let error) = dispatch.result { "\(error)" } else { nil }
    self.digest = digest
  }
}
