import ActionLogs
import Foundation
import Testing

extension WithPostgreSQL {
  /// What every log does alike with leases, snapshots and facts.
  @Suite struct LeaseContractTests {
    @Test(arguments: LogKind.allCases)
    func `a lease has one holder until it expires or is released`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let (log, other) = (test.log, try test.makeOther())

        let first = try #require(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)))
        #expect(try await other.acquireLease("l", holder: "b", for: .seconds(6_000)) == nil)
        try await test.advance(.seconds(6_000))
        let second = try #require(
          try await other.acquireLease("l", holder: "b", for: .seconds(6_000)))
        try await other.release(second)
        let third = try #require(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)))

        #expect(first.epoch < second.epoch && second.epoch < third.epoch)
        #expect(first.holder == "a" && second.holder == "b")
      }
    }

    @Test(arguments: LogKind.allCases)
    func `the holder of a lease can acquire it again and renew it, others cannot`(
      kind: LogKind
    ) async throws {
      try await kind.withLog { test in
        let log = test.log
        let lease = try #require(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)))

        #expect(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)) == lease)
        try await test.advance(.seconds(4_000))
        #expect(try await log.renew(lease, for: .seconds(6_000)))
        try await test.advance(.seconds(4_000))
        #expect(try await log.acquireLease("l", holder: "b", for: .seconds(6_000)) == nil)
        try await test.advance(.seconds(4_000))
        // It has ended, even if nobody has taken it.
        #expect(try await log.renew(lease, for: .seconds(6_000)) == false)
        let next = try #require(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)))
        #expect(next.epoch > lease.epoch)
        // What is no longer held cannot be given back.
        try await log.release(lease)
        #expect(try await log.renew(next, for: .seconds(6_000)))
      }
    }

    @Test(arguments: LogKind.allCases)
    func `an entry whose lease was lost is fenced off`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let (log, other) = (test.log, try test.makeOther())
        let lost = try #require(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)))
        let before = try await log.append([.make("a", fence: lost)])
        try await test.advance(.seconds(6_001))
        let expired = try await log.append([.make("b", fence: lost)])
        let held = try #require(
          try await other.acquireLease("l", holder: "b", for: .seconds(6_000)))

        let after = try await log.append([
          .make("c", fence: lost), .make("d"), .make("e", fence: held), .make("a", fence: lost),
        ])

        #expect(before == [.appended(sequence: 1)])
        #expect(expired == [.fenced])
        #expect(
          after == [
            .fenced, .appended(sequence: 2), .appended(sequence: 3), .known(sequence: 1),
          ])
        #expect(try await log.allIDs() == ["a", "d", "e"])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `a lease lasts no longer when the log's clock is set back, unless its holder asks`(
      kind: LogKind
    ) async throws {
      try await kind.withLog { test in
        let log = test.log
        func acquire(_ holder: String) async throws -> Lease? {
          try await log.acquireLease("l", holder: holder, for: .seconds(6_000))
        }
        let lease = try #require(try await acquire("a"))

        try await test.advance(.seconds(-60_000))
        #expect(try await acquire("a") == lease)
        #expect(try await acquire("b") == nil)
        try await test.advance(.seconds(-60_000))
        #expect(try await log.append([.make("x", fence: lease)]) == [.appended(sequence: 1)])
        let next = try #require(try await acquire("b"))

        #expect(next.epoch > lease.epoch)
        #expect(try await log.append([.make("y", fence: lease)]) == [.fenced])
        #expect(try await log.renew(lease, for: .seconds(6_000)) == false)
        #expect(try await acquire("a") == nil)
        #expect(try await log.append([.make("y", fence: next)]) == [.appended(sequence: 2)])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `whether somebody holds a lease can be found out without taking it`(
      kind: LogKind
    ) async throws {
      try await kind.withLog { test in
        func acquire(_ holder: String, _ duration: Duration) async throws -> Lease? {
          try await test.log.acquireLease("l", holder: holder, for: duration)
        }

        let free = try await acquire("b", .zero)
        let taken = try await acquire("a", .seconds(6_000))
        let held = try await acquire("b", .zero)
        let kept = try await acquire("a", .seconds(6_000))

        #expect(free != nil && held == nil)
        #expect(taken != nil && kept == taken)
      }
    }

    @Test(arguments: LogKind.allCases)
    func `one of many concurrent holders gets the lease`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let leases = try await withThrowingTaskGroup(of: Lease?.self) { group in
          for number in 0..<12 {
            let log = try test.makeOther()
            group.addTask {
              try await log.acquireLease("l", holder: "\(number)", for: .seconds(6_000))
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(leases.compactMap { $0 }.count == 1)
      }
    }

    @Test(arguments: LogKind.allCases)
    func `the first snapshot saved at a sequence is kept`(kind: LogKind) async throws {
      try await kind.withLog { test in
        func snapshot(_ sequence: UInt64, _ digest: String) -> LogSnapshot {
          LogSnapshot(
            sequence: sequence, reducer: 3, digest: digest, state: Data("\(digest)\u{0}".utf8))
        }
        _ = try await test.log.append("a", "b", "c")

        #expect(try await test.log.newestSnapshot() == nil)
        #expect(try await test.log.save(snapshot(3, "x")) == "x")
        #expect(try await test.makeOther().save(snapshot(3, "y")) == "x")
        #expect(try await test.log.save(snapshot(2, "z")) == "z")
        #expect(try await test.log.newestSnapshot() == snapshot(3, "x"))
        #expect(try await test.makeOther().digest(ofSnapshot: 2) == "z")
        #expect(try await test.log.digest(ofSnapshot: 1) == nil)
      }
    }

    @Test(arguments: LogKind.allCases)
    func `trimming removes old entries that the oldest snapshot covers`(
      kind: LogKind
    ) async throws {
      try await kind.withLog { test in
        let log = test.log
        func save(_ sequence: UInt64) async throws {
          _ = try await log.save(
            LogSnapshot(sequence: sequence, reducer: 1, digest: "d", state: Data()))
        }
        _ = try await log.append("a", "b", "c")
        try await test.advance(.seconds(360_000))
        _ = try await log.append("d", "e", "f")

        try await log.trim(keeping: 2, youngerThan: .zero)
        #expect(try await log.allIDs().count == 6)
        for sequence in [1, 2, 5] as [UInt64] { try await save(sequence) }
        try await log.trim(keeping: 2, youngerThan: .seconds(6_000))
        #expect(try await log.allIDs(after: 2) == ["c", "d", "e", "f"])
        #expect(try await code { _ = try await log.page(after: 1, limit: 1) } == .trimmed)
        try await log.trim(keeping: 1, youngerThan: .seconds(6_000))
        #expect(try await log.allIDs(after: 3) == ["d", "e", "f"])
        #expect(try await code { _ = try await log.page(after: 2, limit: 1) } == .trimmed)
        #expect(try await log.append("d", "g") == [.known(sequence: 4), .appended(sequence: 7)])
        #expect(try await log.newestSnapshot()?.sequence == 5)

        try await save(7)
        try await test.advance(.seconds(6_001))
        try await log.trim(keeping: 1, youngerThan: .seconds(6_000))
        #expect(try await log.page(after: 7, limit: 10) == LogPage(entries: [], head: 7))
        #expect(try await log.allIDs(after: 6) == ["g"])
        #expect(try await code { _ = try await log.page(after: 5, limit: 1) } == .trimmed)
        #expect(try await log.append("h") == [.appended(sequence: 8)])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `the first writer of a fact wins`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let values = try await withThrowingTaskGroup(of: Data.self) { group in
          for number in 0..<8 {
            let log = try test.makeOther()
            group.addTask { try await log.fact("key", orElse: Data("\(number)\u{0}".utf8)) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(Set(values).count == 1)
        #expect(try await test.log.fact("key", orElse: Data()) == values.first)
        #expect(try await test.log.fact("other", orElse: Data()) == Data())
      }
    }
  }
}
