import ActionLogs
import ImmutableData
import Synchronization

/// A connection that is opened when it is needed, and reopened after it was lost.
///
/// After a failure, nothing is tried for a while, so that calls do not each wait for a timeout.
actor Connection {
  private let address: PostgreSQLAddress
  private let timeout: Duration?
  private let known: KnownLog
  nonisolated let thread = ConnectionThread()
  private var session: Session? {
    didSet { self.openProcess.withLock { $0 = self.session?.process } }
  }
  private var backoff = Backoff(base: .milliseconds(100), limit: .seconds(2))
  private var failure: (error: ActionLogError, until: ContinuousClock.Instant)?
  private var isListening = false
  private let openProcess = Mutex<Int32?>(nil)

  /// - Parameters:
  ///   - address: The address of the database.
  ///   - timeout: The time limit of a statement; `nil` for that of the address.
  ///   - known: What it must find in the log. Connections share it.
  init(
    _ address: PostgreSQLAddress,
    timeout: Duration? = nil,
    known: KnownLog = KnownLog()
  ) {
    self.address = address
    self.timeout = timeout
    self.known = known
  }

  /// The ``Session/process`` of its session; `nil` if there is none.
  nonisolated var process: Int32? { self.openProcess.withLock { $0 } }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    self.thread.asUnownedSerialExecutor()
  }

  /// Runs one statement, and runs it again if the connection is lost. So the statement must be
  /// idempotent.
  ///
  /// - Throws: ``ActionLogError``: `unavailable` or `foreign`.
  func run(_ statement: String, _ parameters: [Parameter] = []) throws -> Rows {
    try self.withSession { try $0.run(statement, parameters) }
  }

  /// Runs one statement like ``run(_:_:)``, but only if the tables are those of the log that this
  /// process knows. The parameters of ``KnownLog/condition(from:)`` follow the others.
  ///
  /// - Throws: ``ActionLogError``: `unavailable`, `foreign`, or `ahead` if it is another log.
  func runInKnownLog(_ statement: String, _ parameters: [Parameter]) throws -> Rows {
    try self.withSession { session in
      let rows = try session.run(statement, parameters + self.known.parameters)
      if rows.count == 0 { try self.known.check(session) }
      return rows
    }
  }

  /// Waits until there is a new entry, or the time is over.
  ///
  /// - Parameter own: The connection whose entries are not waited for.
  /// - Returns: Its sequence, if it is known.
  /// - Throws: ``ActionLogError``: `unavailable` or `foreign`.
  func waitForEntry(_ duration: Duration, except own: Connection) throws -> UInt64? {
    try self.withSession { session in
      if self.isListening == false {
        _ = try session.run("LISTEN action_log")
        self.isListening = true
      }
      return try session.waitForNotification(duration, except: { own.process }).flatMap {
        UInt64($0)
      }
    }
  }

  private func withSession<Value>(_ body: (Session) throws -> Value) throws -> Value {
    do {
      if let session {
        do {
          return try body(session)
        } catch let error as SessionError where error.kind == .lost {
          self.close()
        }
      }
      return try body(try self.openSession())
    } catch let error as SessionError {
      let isOpen = self.session != nil
      if [.lost, .silent].contains(error.kind) || isOpen == false && error.kind == .failing {
        self.close()
        self.failure = (ActionLogError(error), until: .now + self.backoff.next())
      }
      throw ActionLogError(error)
    }
  }

  private func openSession() throws -> Session {
    if let failure, failure.until > .now { throw failure.error }
    let session = try Session(self.address, timeout: self.timeout)
    try Schema.prepare(session, mayCreate: self.known.isKnown == false)
    try self.known.check(session)
    self.session = session
    self.failure = nil
    self.backoff.reset()
    return session
  }

  private func close() {
    self.session = nil
    self.isListening = false
  }
}

extension ActionLogError {
  fileprivate init(_ error: SessionError) {
    switch error.kind {
    case .lost, .silent:
      self.init(code: .unavailable, message: "The log cannot be reached: \(error.message)")
    case .failing:
      self.init(code: .unavailable, message: "The log's database fails: \(error.message)")
    case .slow:
      self.init(code: .unavailable, message: "The log is too slow: \(error.message)")
    case .refused:
      self.init(code: .foreign, message: "The log cannot be used: \(error.message)")
    }
  }
}
