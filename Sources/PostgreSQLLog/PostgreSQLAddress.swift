import ActionLogs
import CPostgreSQL

/// Where a log is: a URL as PostgreSQL's own programs take it, without a password.
///
/// ```
/// postgres://server@db1.example.org,db2.example.org/products?sslmode=verify-full&passfile=/etc/pgpass
/// ```
///
/// The password comes from a file (`passfile=`, `PGPASSFILE`, `~/.pgpass`) or from `PGPASSWORD`, so that
/// it is in no list of processes and no log.
///
/// Source: PostgreSQL 15, 34.1.1 Connection Strings.
public struct PostgreSQLAddress: Sendable {
  /// How long an operation may take; a server that does not answer by then counts as lost.
  public var timeout: Duration = .seconds(10)
  private let url: String

  /// - Parameter url: It begins with `postgres://` or `postgresql://`.
  /// - Throws: ``ActionLogError`` with code `foreign` if it cannot be read or has a password.
  public init(_ url: String) throws {
    let isURL = ["postgres://", "postgresql://"].contains { url.hasPrefix($0) }
    guard isURL, let options = PQconninfoParse(url, nil) else {
      // What libpq says about it may have the password in it.
      throw Self.error("The log's address must be like postgres://user@host/database.")
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == "password", option.pointee.val != nil {
        throw Self.error(
          "The log's address must not have a password, which other users of the machine could see. "
            + "Put it into a file that PGPASSFILE or passfile= names, or into PGPASSWORD."
        )
      }
      option += 1
    }
    self.url = url
  }

  private static func error(_ message: String) -> ActionLogError {
    ActionLogError(code: .foreign, message: message)
  }

  /// What libpq connects with, as keywords and values. The address may change what comes before it.
  var parameters: [(keyword: String, value: String)] {
    let seconds = max(2, Int(self.timeout / .seconds(1)) / 2)
    return [
      ("application_name", "ImmutableData"),
      ("connect_timeout", "\(seconds)"),
      ("keepalives_idle", "\(seconds)"),
      ("keepalives_interval", "2"),
      ("keepalives_count", "3"),
      ("tcp_user_timeout", "\(seconds * 2_000)"),
      ("dbname", self.url),
      // Of several hosts, the one that can be written to: nothing is read from a standby.
      ("target_session_attrs", "read-write"),
      ("client_encoding", "UTF8"),
    ]
  }
}
