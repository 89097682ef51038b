import ActionLogs
import CPostgreSQL

/// The address of a log: a URL as PostgreSQL's own programs accept it, without a password.
///
/// ```
/// postgres://server@db1.example.org,db2.example.org/products?sslmode=verify-full&passfile=/etc/pgpass
/// ```
///
/// The password comes from a file (`passfile=`, `PGPASSFILE`, `~/.pgpass`) or from `PGPASSWORD`, so
/// that it does not appear in process lists or logs.
///
/// Source: PostgreSQL 15, 34.1.1 Connection Strings.
public struct PostgreSQLAddress: Sendable {
  /// The time limit of an operation. A server that does not answer in time counts as lost.
  public var timeout: Duration = .seconds(10)
  private let url: String

  /// - Parameter url: A URL that begins with `postgres://` or `postgresql://`.
  /// - Throws: ``ActionLogError`` with code `foreign` if it is invalid or contains a password.
  public init(_ url: String) throws {
    let isURL = ["postgres://", "postgresql://"].contains { url.hasPrefix($0) }
    guard isURL, let options = PQconninfoParse(url, nil) else {
      // The message of libpq may contain the password.
      throw Self.error("The log's address must be like postgres://user@host/database.")
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if option.pointee.val != nil, let place = Self.secrets[String(cString: keyword)] {
        throw Self.error(
          "The log's address must not have a password, which other users of the machine could see. "
            + place
        )
      }
      option += 1
    }
    self.url = url
  }

  /// Where each secret of an address belongs.
  private static let secrets = [
    "password": "Put it into a file that PGPASSFILE or passfile= names, or into PGPASSWORD.",
    "sslpassword": "Use a key without one (sslkey=), in a file that only the Server can read.",
  ]

  private static func error(_ message: String) -> ActionLogError {
    ActionLogError(code: .foreign, message: message)
  }

  /// The connection parameters for libpq, as keywords and values. The address overrides those
  /// before it.
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
      // Of several hosts, use the writable one, because nothing is read from a standby.
      ("target_session_attrs", "read-write"),
      ("client_encoding", "UTF8"),
    ]
  }
}
