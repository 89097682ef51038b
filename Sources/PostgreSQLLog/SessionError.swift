/// Why a statement has not been carried out.
struct SessionError: Error {
  enum Kind {
    /// There is no connection, or no longer; or the server ends, recovers, or has become a standby.
    case lost
    /// The server does not answer.
    case silent
    /// The server says that it took too long.
    case slow
    /// The server refuses the statement.
    case refused
  }

  let kind: Kind
  /// What libpq or the server says. It has no password.
  let message: String
}

extension SessionError {
  /// - Parameter state: SQLSTATE; `nil` if the server has not said anything.
  /// - Source: PostgreSQL 15, Appendix A. PostgreSQL Error Codes.
  static func kind(of state: String?) -> Kind {
    switch state {
    case nil: .lost
    case "57014", "55P03", "40001", "40P01": .slow
    // Connection exceptions, operator intervention, no more resources; a server that is read-only.
    case let state? where ["08", "57", "53"].contains(state.prefix(2)) || state == "25006": .lost
    default: .refused
    }
  }
}
