/// Why a log cannot do what it was asked.
public struct ActionLogError: Error, Hashable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    private enum Value {
      case unavailable, queueFull, tooLarge, invalidName, trimmed, ahead, foreign
    }

    private let value: Value

    /// It cannot be reached now. What was asked may have been done all the same; trying again does
    /// not do it twice.
    public static let unavailable = Self(value: .unavailable)
    /// Too much waits to be appended. Nothing was done.
    public static let queueFull = Self(value: .queueFull)
    /// Something is larger than ``LogLimits`` allow. Nothing was done.
    public static let tooLarge = Self(value: .tooLarge)
    /// An id or a name is empty, too long, or contains U+0000. Nothing was done.
    public static let invalidName = Self(value: .invalidName)
    /// An entry was removed: begin with the newest snapshot.
    public static let trimmed = Self(value: .trimmed)
    /// The log is shorter than its reader knows, so it is another, or an older copy of it.
    public static let ahead = Self(value: .ahead)
    /// It cannot be used by this program: it needs a newer release, other rights, or another address.
    public static let foreign = Self(value: .foreign)
  }

  public let code: Code
  /// A sentence that says what to do, for whoever runs the server. It has no password.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { self.message }
}

extension ActionLogError {
  package static func trimmed(after sequence: UInt64) -> Self {
    Self(
      code: .trimmed,
      message: "Entry \(sequence + 1) is no longer in the log. Begin with the newest snapshot."
    )
  }

  package static func ahead(of head: UInt64, _ sequence: UInt64) -> Self {
    Self(
      code: .ahead,
      message: "The log ends with entry \(head), but \(sequence) was read before. "
        + "It was restored from a backup, or is another log: start all servers again."
    )
  }
}
