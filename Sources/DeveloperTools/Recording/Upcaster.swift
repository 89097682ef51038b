/// Converts recordings of the previous release, when the encoding of actions or of the state has
/// changed.
///
/// A program has a list of upcasters, and each such change adds one to the end. A recording notes
/// how long the list was when it was made, and the upcasters that were added since are applied in
/// order. Additions need no upcaster: a new action, or a new optional property.
///
/// ```swift
/// let upcasters = [
///   // "didTapAdd" is "didTapAddButton" now.
///   Upcaster(action: { $0.rename("didTapAdd", to: "didTapAddButton") }),
///   // A counter has a step now.
///   Upcaster(state: { $0["step"] = .integer(1) }),
/// ]
/// ```
public struct Upcaster: Sendable {
  public typealias Change = @Sendable (inout JSONValue) throws -> Void

  let action: Change
  let state: Change

  /// - Parameters:
  ///   - action: Changes an action to its next form.
  ///   - state: Changes the state of a checkpoint to its next form.
  public init(action: @escaping Change = { _ in }, state: @escaping Change = { _ in }) {
    self.action = action
    self.state = state
  }

  /// Changes a line of a recording.
  func callAsFunction(_ line: inout JSONValue) throws {
    if var action = line["action"] {
      try self.action(&action)
      line["action"] = action
    }
    if var state = line["checkpoint"] {
      try self.state(&state)
      line["checkpoint"] = state
    }
  }
}
