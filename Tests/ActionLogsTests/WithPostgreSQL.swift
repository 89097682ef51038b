import ActionLogs
import Foundation
import TestPostgreSQL
import Testing

@testable import PostgreSQLLog

/// The suites that need a PostgreSQL server; they share one.
@Suite(.postgreSQL, .timeLimit(.minutes(20))) enum WithPostgreSQL {}

extension WithPostgreSQL {
  static func log(_ server: PostgreSQLServer, _ database: String) throws -> PostgreSQLLog {
    PostgreSQLLog(try PostgreSQLAddress(server.url(database)))
  }

  static func error(_ work: () async throws -> Void) async -> ActionLogError? {
    do {
      try await work()
      return nil
    } catch {
      return error as? ActionLogError
    }
  }

  /// Tries again while the database is away, as a server does.
  static func persistently<Value>(_ work: () async throws -> Value) async throws -> Value {
    while true {
      do {
        return try await work()
      } catch let error as ActionLogError where error.code == .unavailable {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  static func appendPersistently(
    _ id: String,
    to log: PostgreSQLLog
  ) async throws -> UInt64 {
    let answers = try await self.persistently { try await log.append(id) }
    return try #require(answers.first?.sequence)
  }

  /// Waits until the database has so many sessions like this.
  static func wait(
    _ server: PostgreSQLServer,
    _ condition: String,
    count: Int
  ) async throws {
    let statement = "SELECT count(*)::text FROM pg_stat_activity WHERE \(condition)"
    while try await server.ask(statement, in: "postgres") != "\(count)" {
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

/// Gives a suite a PostgreSQL server.
struct PostgreSQLTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let server = try await PostgreSQLServer.make()
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await PostgreSQLServer.$current.withValue(server) { try await function() })
    } catch {
      result = .failure(error)
    }
    try await server.remove()
    try result.get()
  }
}

extension Trait where Self == PostgreSQLTrait {
  static var postgreSQL: Self { Self() }
}

extension PostgreSQLServer {
  /// A new empty database.
  ///
  /// - Returns: Its name.
  func makeDatabase() async throws -> String {
    let name = "test_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
    try await self.execute("CREATE DATABASE \(name)", in: "postgres")
    return name
  }

  /// Copies a database, whose sessions end.
  ///
  /// - Returns: The name of the copy.
  func copy(_ database: String) async throws -> String {
    let copy = "\(database)_copy"
    try await self.endSessions(of: database)
    try await self.execute("CREATE DATABASE \(copy) TEMPLATE \(database)", in: "postgres")
    return copy
  }

  /// Ends the sessions of a database.
  func endSessions(of database: String) async throws {
    try await self.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'",
      in: "postgres"
    )
  }

  /// Runs statements as the superuser.
  func execute(_ script: String, in database: String) async throws {
    let url = self.url(database)
    try await onThread { try Session(PostgreSQLAddress(url)).run(script: script) }
  }

  /// Asks for one text as the superuser.
  func ask(_ statement: String, in database: String) async throws -> String {
    let url = self.url(database)
    return try await onThread {
      try Session(PostgreSQLAddress(url)).run(statement).first?.text(0) ?? ""
    }
  }

  /// Locks the head of a log, so that nobody appends, until the answer is released.
  ///
  /// - Parameter table: Where it is; `head` in older releases.
  func lockHead(_ table: String = "base", in database: String) async throws -> Subsession {
    let url = self.url(database)
    return try await onThread {
      let session = try Session(PostgreSQLAddress(url))
      try session.run(script: "BEGIN; SELECT FROM action_log.\(table) FOR UPDATE")
      return Subsession(session)
    }
  }

  /// Holds an advisory lock, until the answer is released.
  func lock(_ number: Int, in database: String) async throws -> Subsession {
    let url = self.url(database)
    return try await onThread {
      let session = try Session(PostgreSQLAddress(url))
      try session.run(script: "SELECT pg_advisory_lock(\(number))")
      return Subsession(session)
    }
  }

  /// Begins to read what is there now, until the answer is released, as a backup does.
  func readConsistently(in database: String) async throws -> Subsession {
    let url = self.url(database)
    return try await onThread {
      let session = try Session(PostgreSQLAddress(url))
      try session.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM action_log.entry")
      return Subsession(session)
    }
  }
}

/// A session that a test keeps open.
final class Subsession: @unchecked Sendable {
  private var session: Session?

  init(_ session: Session) {
    self.session = session
  }

  func end() {
    self.session = nil
  }
}

/// Sessions wait, so they need a thread of their own.
private func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "test").async { continuation.resume(with: Result { try work() }) }
  }
}
