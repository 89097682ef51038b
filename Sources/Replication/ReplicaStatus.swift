import ActionLogs

/// How a replica stands.
public enum ReplicaStatus: Hashable, Sendable {
  /// It has read all there was when it last looked, which is not long ago.
  case current
  /// It reads what it has missed.
  case behind
  /// The log cannot be reached. What the store has can be read; nothing can be posted.
  case away(String)
  /// It must not go on, because its state would no longer be that of the others. The process has to be
  /// started again, perhaps with another release.
  case stopped(String)
}

/// Why an action was not reduced, other than that the reducer has refused it.
public struct ReplicaError: Error, Hashable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    private enum Value { case away, stopped, forgotten, refused, tooLarge }

    private let value: Value

    /// The log cannot be reached, or is too slow. Whether the action has happened shows when it is
    /// posted again with its id.
    public static let away = Self(value: .away)
    /// The replica has stopped. Whether the action has happened shows elsewhere.
    public static let stopped = Self(value: .stopped)
    /// The action was posted long ago, and nobody knows any more whether it was refused.
    public static let forgotten = Self(value: .forgotten)
    /// The reducer has refused the action before, at a server that has said why.
    public static let refused = Self(value: .refused)
    /// It is too large for the log. Nothing has happened.
    public static let tooLarge = Self(value: .tooLarge)
  }

  public let code: Code
  /// A sentence for whoever runs the server.
  public let message: String

  public var description: String { self.message }

  init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The log has entries of a newer release.
  static func outdated(reducer: Int) -> Self {
    Self(
      code: .stopped,
      message: "The log is at a newer reducer than \(reducer): start the release that has it."
    )
  }

  init(_ error: any Error) {
    let code = (error as? ActionLogError)?.code
    switch code {
    case .unavailable?, .queueFull?: self.init(code: .away, message: "\(error)")
    case .tooLarge?: self.init(code: .tooLarge, message: "\(error)")
    default: self.init(code: .stopped, message: "\(error)")
    }
  }
}
