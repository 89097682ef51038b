import ActionLogs

/// The status of a replica.
public enum ReplicaStatus: Hashable, Sendable {
  /// It had read all entries not long ago.
  case current
  /// It is reading entries that it has missed, or finding out whether the log takes posts.
  case behind
  /// It had read all entries when it last checked, but the log did not take its newest post. It
  /// checks several times a second whether the log takes posts again.
  case readOnly(String)
  /// The log cannot be reached, or does not have the next entries any more, until the server has
  /// joined it anew. The state of the store can be read, but nothing can be posted.
  case away(String)
  /// It has stopped, because its state would differ from that of the others. The process must be
  /// restarted, perhaps with another release.
  case stopped(String)
}

/// The error of an action that was not reduced, for reasons other than a refusal by the reducer.
public struct ReplicaError: Error, Hashable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    private enum Value { case away, stopped, forgotten, refused, tooLarge }

    private let value: Value

    /// The log cannot be reached, is too slow, or does not have the next entries any more. Post the
    /// action again with its id to find out whether it has taken effect.
    public static let away = Self(value: .away)
    /// The replica has stopped. Another server may know whether the action has taken effect.
    public static let stopped = Self(value: .stopped)
    /// The action was posted long ago, and it is no longer known whether it was refused.
    public static let forgotten = Self(value: .forgotten)
    /// The reducer already refused the action, on a server that reported the reason.
    public static let refused = Self(value: .refused)
    /// The action is too large for the log. Nothing has changed.
    public static let tooLarge = Self(value: .tooLarge)
  }

  public let code: Code
  /// A sentence for the operator of the server.
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
    case .unavailable?, .queueFull?, .trimmed?: self.init(code: .away, message: "\(error)")
    case .tooLarge?: self.init(code: .tooLarge, message: "\(error)")
    default: self.init(code: .stopped, message: "\(error)")
    }
  }
}
