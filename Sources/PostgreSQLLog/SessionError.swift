/// Why a statement failed.
struct SessionError: Error {
  enum Kind {
    /// The connection failed or was lost, or the server is shutting down, recovering, a standby,
    /// damaged, or without the tables of the log.
    case lost
    /// The server has no room on its disk or for notifications, or its disk fails. The session can go
    /// on.
    case failing
    /// The server does not answer.
    case silent
    /// The server aborted it because it took too long.
    case slow
    /// The server rejected the statement.
    case refused
  }

  let kind: Kind
  /// The message of libpq or the server. It contains no password.
  let message: String
}

extension SessionError {
  /// - Parameter state: SQLSTATE; `nil` if the server did not send one.
  /// - Source: PostgreSQL 15, Appendix A. PostgreSQL Error Codes.
  static func kind(of state: String?) -> Kind {
    switch state {
    case nil: .lost
    case "57014", "55P03", "40001", "40P01": .slow
    // 54000: one of its sessions has not read notifications for so long that no more can be kept.
    case "53100", "58030", "54000": .failing
    // Connection exceptions, operator intervention, insufficient resources, system errors, damaged
    // data.
    case let state? where ["08", "57", "53", "58", "XX"].contains(state.prefix(2)): .lost
    // A missing schema, table or function.
    case "3F000", "42P01", "42883": .lost
    // A read-only server; a session that the server ends because a transaction takes too long.
    case "25006", "25P03", "25P04": .lost
    default: .refused
    }
  }
}
