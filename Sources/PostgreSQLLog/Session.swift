import CPostgreSQL
import Foundation

/// An open connection. It waits for the server, so it is used on a ``ConnectionThread``.
final class Session {
  private let connection: OpaquePointer
  private let timeout: Duration
  /// The prepared statements, so that each is parsed once. All are constants of this module.
  private var prepared: [String: String] = [:]

  /// - Parameter timeout: The time limit of a statement; `nil` for that of the address.
  /// - Throws: ``SessionError``.
  init(_ address: PostgreSQLAddress, timeout: Duration? = nil) throws {
    let parameters = address.parameters
    let opened = Self.withCStrings(parameters.map(\.keyword)) { keywords in
      Self.withCStrings(parameters.map(\.value)) { values in
        PQconnectdbParams(keywords, values, 1)
      }
    }
    guard let opened else { throw SessionError(kind: .lost, message: "There is no memory left.") }
    self.connection = opened
    self.timeout = timeout ?? address.timeout
    guard PQstatus(opened) == CONNECTION_OK else { throw self.error(kind: .lost) }
    // Otherwise, notices would go to standard error.
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
    PQsetnonblocking(opened, 1)
    try self.configure()
  }

  deinit {
    PQfinish(self.connection)
  }

  /// An acknowledged commit must be on disk, and on a standby if there are synchronous ones. An
  /// append must see what was committed while it waited for its turn.
  ///
  /// - Throws: ``SessionError``; its kind is `refused` if there is a pooler between this process and
  ///   the database.
  private func configure() throws {
    let milliseconds = "\(Int(self.timeout / .milliseconds(1)))"
    let rows = try self.run(
      """
      SELECT pg_backend_pid()::int8,
        set_config('statement_timeout', $1, false), set_config('lock_timeout', $1, false),
        set_config('default_transaction_isolation', 'read committed', false),
        set_config('synchronous_commit',
          CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
            ELSE current_setting('synchronous_commit') END, false)
      """,
      [.text(milliseconds)]
    )
    // A pooler has numbers of its own, and may run each statement in another session, which has none
    // of these settings and gets no notifications.
    guard try rows.first?.number(0) == Int64(self.process) else {
      throw SessionError(
        kind: .refused,
        message: "Its address leads to a connection pooler, such as PgBouncer. "
          + "Use the address of the database itself."
      )
    }
  }

  /// Runs one statement.
  ///
  /// - Throws: ``SessionError``. After `lost` and `silent` the session can no longer be used.
  func run(_ statement: String, _ parameters: [Parameter] = []) throws -> Rows {
    let name = try self.prepare(statement, parameters.map(\.type))
    let lengths = parameters.map { Int32($0.bytes.count) }
    let sent = Self.withBytes(parameters.map(\.bytes)) { values in
      PQsendQueryPrepared(
        self.connection, name, Int32(parameters.count), values, lengths,
        [Int32](repeating: 1, count: parameters.count), 1
      )
    }
    guard sent == 1 else { throw self.error(kind: .lost) }
    return try self.result()
  }

  /// - Returns: The name of the prepared statement.
  private func prepare(_ statement: String, _ types: [Oid]) throws -> String {
    if let name = self.prepared[statement] { return name }
    let name = "statement\(self.prepared.count)"
    guard PQsendPrepare(self.connection, name, statement, Int32(types.count), types) == 1 else {
      throw self.error(kind: .lost)
    }
    _ = try self.result()
    self.prepared[statement] = name
    return name
  }

  /// Runs statements without parameters, all in one transaction.
  ///
  /// - Throws: ``SessionError``.
  func run(script: String) throws {
    guard PQsendQuery(self.connection, script) == 1 else { throw self.error(kind: .lost) }
    _ = try self.result()
  }

  /// Waits for a notification from another session, or until the time is over.
  ///
  /// - Parameter own: Returns the ``process`` of a session whose notifications are ignored. That session
  ///   may be opened meanwhile.
  /// - Returns: The payload of the newest notification; `nil` if there was none.
  /// - Throws: ``SessionError`` if the connection is lost.
  func waitForNotification(_ duration: Duration, except own: () -> Int32?) throws -> String? {
    let deadline = ContinuousClock.now + duration
    while true {
      if let newest = self.takeNotifications(except: own) { return newest }
      guard self.waitForSocket(Int16(POLLIN), until: deadline) else { return nil }
      guard PQconsumeInput(self.connection) == 1 else { throw self.error(kind: .lost) }
    }
  }

  private func takeNotifications(except own: () -> Int32?) -> String? {
    var newest: String?
    while let notification = PQnotifies(self.connection) {
      if notification.pointee.be_pid != own() {
        newest = String(cString: notification.pointee.extra)
      }
      PQfreemem(notification)
    }
    return newest
  }

  /// Identifies the session in the database.
  var process: Int32 { PQbackendPID(self.connection) }

  /// The result of the last statement that was sent.
  private func result() throws -> Rows {
    // The server aborts a statement that takes too long, but it may also not answer at all.
    let deadline = ContinuousClock.now + self.timeout + .seconds(1)
    var rows = Rows()
    var error: SessionError?
    while true {
      try self.waitForResult(until: deadline)
      guard let result = PQgetResult(self.connection) else { break }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows = Rows(result)
      default: error = error ?? self.error(of: result)
      }
    }
    if let error { throw error }
    return rows
  }

  private func waitForResult(until deadline: ContinuousClock.Instant) throws {
    while true {
      let unsent = PQflush(self.connection)
      guard unsent >= 0 else { throw self.error(kind: .lost) }
      guard unsent == 1 || PQisBusy(self.connection) == 1 else { return }
      guard self.waitForSocket(Int16(unsent == 1 ? POLLIN | POLLOUT : POLLIN), until: deadline)
      else {
        throw SessionError(kind: .silent, message: "The server has not answered in time.")
      }
      guard PQconsumeInput(self.connection) == 1 else { throw self.error(kind: .lost) }
    }
  }

  /// - Returns: Whether the socket is ready; `false` if the time is over.
  private func waitForSocket(_ events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
    var descriptor = pollfd(fd: PQsocket(self.connection), events: events, revents: 0)
    while true {
      let milliseconds = Int32(clamping: max(0, Int((deadline - .now) / .milliseconds(1))))
      let ready = poll(&descriptor, 1, milliseconds)
      if ready >= 0 || errno != EINTR { return ready != 0 }
    }
  }

  private func error(of result: OpaquePointer) -> SessionError {
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    return SessionError(
      kind: SessionError.kind(of: state),
      message: Self.line(PQresultErrorMessage(result))
    )
  }

  private func error(kind: SessionError.Kind) -> SessionError {
    SessionError(kind: kind, message: Self.line(PQerrorMessage(self.connection)))
  }

  /// libpq's messages have several lines, some of them indented, and end with a line break.
  private static func line(_ message: UnsafePointer<CChar>?) -> String {
    message.map { String(cString: $0) }?
      .split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "; ") ?? ""
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }

  /// - Parameter values: A few values at most, so that the recursion is not deep.
  private static func withBytes<Result>(
    _ values: [Data],
    _ pointers: [UnsafePointer<CChar>?] = [],
    _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    guard let first = values.first else { return body(pointers) }
    // An empty buffer has a null pointer, which would mean SQL's NULL.
    return (first.isEmpty ? Data([0]) : first).withUnsafeBytes { bytes in
      let pointer = bytes.bindMemory(to: CChar.self).baseAddress
      return Self.withBytes(Array(values.dropFirst()), pointers + [pointer], body)
    }
  }
}
