import ActionLogs
import Foundation
import PostgreSQLLog
import Synchronization
import TestPostgreSQL
import Testing

/// The logs that keep one contract.
enum LogKind: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case postgreSQL

  var testDescription: String { self.rawValue }

  /// Works with an empty log.
  func withLog(limits: LogLimits = LogLimits(), _ work: (TestLog) async throws -> Void) async throws
  {
    switch self {
    case .memory: try await work(.memory(limits))
    case .postgreSQL: try await work(.postgreSQL(limits))
    }
  }
}

/// A log, with what a test does to it from outside.
struct TestLog: Sendable {
  let log: any ActionLog
  /// The same log, as another server uses it.
  let makeOther: @Sendable () throws -> any ActionLog
  /// Lets so much time pass for leases and ages.
  let advance: @Sendable (Duration) async throws -> Void

  static func memory(_ limits: LogLimits) -> Self {
    let passed = Mutex(Duration.zero)
    let begun = ContinuousClock.now
    let log = MemoryLog(limits: limits) { begun + passed.withLock { $0 } }
    return Self(
      log: log, makeOther: { log }, advance: { duration in passed.withLock { $0 += duration } })
  }

  static func postgreSQL(_ limits: LogLimits) async throws -> Self {
    let server = try #require(PostgreSQLServer.current)
    let database = try await server.makeDatabase()
    let make: @Sendable () throws -> PostgreSQLLog = {
      PostgreSQLLog(try PostgreSQLAddress(server.url(database)), limits: limits)
    }
    let log = try make()
    try await log.open()
    return Self(log: log, makeOther: make) { duration in
      let seconds = "interval '\(Int64(duration / .seconds(1))) s'"
      try await server.execute(
        """
        UPDATE action_log.lease SET ends = ends - \(seconds);
        UPDATE action_log.entry SET appended = appended - \(seconds)
        """,
        in: database
      )
    }
  }
}

extension AppendRequest {
  /// A request with an id, and what does not matter.
  static func make(
    _ id: String,
    reducer: Int = 1,
    payload: String = "{}",
    fence: Lease? = nil
  ) -> Self {
    Self(
      LogEntry(
        id: id, product: "counter", reducer: reducer, node: "n1", payload: Data(payload.utf8)),
      fence: fence
    )
  }
}

extension ActionLog {
  /// The ids of all entries, from page to page.
  func allIDs(after sequence: UInt64 = 0, limit: Int = 1_000) async throws -> [String] {
    var ids: [String] = []
    while true {
      let page = try await self.page(after: sequence + UInt64(ids.count), limit: limit)
      if page.entries.isEmpty { return ids }
      ids += page.entries.map(\.entry.id)
    }
  }

  func append(_ ids: String...) async throws -> [AppendAnswer] {
    try await self.append(ids.map { .make($0) })
  }
}

/// - Returns: The code of the error that was thrown; `nil` if there was none.
func code(_ work: () async throws -> Void) async throws -> ActionLogError.Code? {
  do {
    try await work()
    return nil
  } catch let error as ActionLogError {
    return error.code
  }
}
