/// The error of a log operation.
public struct ActionLogError: Error, Hashable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    private enum Value {
      case unavailable, queueFull, tooLarge, invalidName, trimmed, ahead, foreign
    }

    private let value: Value

    /// The log cannot be reached now. The operation may still have taken effect; a retry does not
    /// make it take effect twice.
    public static let unavailable = Self(value: .unavailable)
    /// Too many bytes wait to be appended. Nothing was done.
    public static let queueFull = Self(value: .queueFull)
    /// A value is larger than ``LogLimits`` allow. Nothing was done.
    public static let tooLarge = Self(value: .tooLarge)
    /// An id or a name is empty, too long, or contains U+0000. Nothing was done.
    public static let invalidName = Self(value: .invalidName)
    /// An entry was removed: start from the newest snapshot.
    public static let trimmed = Self(value: .trimmed)
    /// The log does not have what the reader has already read, so it is another log, or an older
    /// copy.
    public static let ahead = Self(value: .ahead)
    /// This program cannot use the log: it needs a newer release, other permissions, or another
    /// address.
    public static let foreign = Self(value: .foreign)
  }

  public let code: Code
  /// A sentence for the operator of the server that says what to do. It does not contain a
  /// password.
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

  package static let another = Self(
    code: .ahead,
    message: "The database has another log than the one that was used before. "
      + "Correct the address, or start all servers again."
  )

  package static func replaced(_ sequence: UInt64) -> Self {
    Self(
      code: .ahead,
      message: "Entry \(sequence) of the log is not the one that was read before. "
        + "The log was restored from a backup, or has lost entries: start all servers again."
    )
  }
}
