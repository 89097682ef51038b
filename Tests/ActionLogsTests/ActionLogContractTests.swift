import ActionLogs
import Foundation
import TestSupport
import Testing

extension WithPostgreSQL {
  /// What every log does alike.
  @Suite struct ActionLogContractTests {
    @Test(arguments: LogKind.allCases)
    func `entries get consecutive sequences in append order`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let first = try await test.log.append("a", "b")
        let second = try await test.makeOther().append("c")

        #expect(first == [.appended(sequence: 1), .appended(sequence: 2)])
        #expect(second == [.appended(sequence: 3)])
        #expect(try await test.log.allIDs() == ["a", "b", "c"])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `an entry is read back unchanged`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let entry = LogEntry(
          id: "O'Brien; \u{1F993} \\x00 {\"a\",NULL}", product: "quakes", reducer: 7, node: "ñ",
          payload: Data(0...255))

        _ = try await test.log.append([AppendRequest(entry)])
        let empty = LogEntry(id: "e", product: "p", reducer: 7, node: "n", payload: Data())
        _ = try await test.log.append([AppendRequest(empty)])

        let page = try await test.makeOther().page(after: 0, limit: 10)
        #expect(
          page
            == LogPage(
              entries: [
                SequencedEntry(sequence: 1, entry: entry),
                SequencedEntry(sequence: 2, entry: empty),
              ],
              head: 2))
      }
    }

    @Test(arguments: LogKind.allCases)
    func `an entry is read with its age`(kind: LogKind) async throws {
      try await kind.withLog { test in
        _ = try await test.log.append("old")
        try await test.advance(.seconds(6_000))
        _ = try await test.log.append("new")

        let ages = try await test.log.page(after: 0, limit: 10).entries.map(\.age)

        #expect(ages.count == 2 && ages[0] >= .seconds(6_000) && ages[1] < .seconds(6_000))
      }
    }

    @Test(arguments: LogKind.allCases)
    func `no entry is younger than 0 when the log's clock is set back`(kind: LogKind) async throws {
      try await kind.withLog { test in
        _ = try await test.log.append("a")
        try await test.advance(.seconds(-6_000))

        #expect(try await test.log.page(after: 0, limit: 10).entries.map(\.age) == [.zero])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `a known id is answered with its sequence`(kind: LogKind) async throws {
      try await kind.withLog { test in
        _ = try await test.log.append("a", "b")

        let answers = try await test.makeOther().append("b", "c", "c", "a")

        #expect(
          answers == [
            .known(sequence: 2), .appended(sequence: 3), .known(sequence: 3), .known(sequence: 1),
          ])
        #expect(try await test.log.allIDs() == ["a", "b", "c"])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `entries are found by their ids`(kind: LogKind) async throws {
      try await kind.withLog { test in
        _ = try await test.log.append("a", "b", "c")
        let other = try test.makeOther()

        #expect(try await other.sequences(ofEntries: ["c", "x", "a"]) == ["a": 1, "c": 3])
        #expect(try await other.sequences(ofEntries: []) == [:])
        #expect(try await other.sequence(ofEntry: "b") == 2)
        #expect(try await other.sequence(ofEntry: "x") == nil)
      }
    }

    @Test(arguments: LogKind.allCases)
    func `appending nothing changes nothing`(kind: LogKind) async throws {
      try await kind.withLog { test in
        let answers = try await test.log.append([])

        #expect(answers == [])
        #expect(try await test.log.page(after: 0, limit: 10) == LogPage(entries: [], head: 0))
      }
    }

    @Test(arguments: LogKind.allCases)
    func `an older reducer is refused after a newer one, but known entries are answered`(
      kind: LogKind
    ) async throws {
      try await kind.withLog { test in
        _ = try await test.log.append([.make("a", reducer: 1), .make("b", reducer: 2)])

        let answers = try await test.makeOther().append([
          .make("c", reducer: 1), .make("a", reducer: 1), .make("d", reducer: 2),
        ])

        #expect(answers == [.outdated(reducer: 2), .known(sequence: 1), .appended(sequence: 3)])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `pages are bounded in entries and in bytes`(kind: LogKind) async throws {
      var limits = LogLimits()
      limits.pageBytes = 100
      try await kind.withLog(limits: limits) { test in
        let payloads = [10, 40, 40, 20, 300, 1].map { String(repeating: "x", count: $0) }
        _ = try await test.log.append(
          payloads.enumerated().map { .make("\($0)", payload: $1) })

        func count(after sequence: UInt64, _ limit: Int) async throws -> Int {
          let page = try await test.log.page(after: sequence, limit: limit)
          #expect(page.head == 6)
          return page.entries.count
        }
        #expect(try await count(after: 0, 2) == 2)
        #expect(try await count(after: 0, 10) == 3)
        #expect(try await count(after: 3, 10) == 1)
        #expect(try await count(after: 4, 10) == 1)
        #expect(try await count(after: 5, 10) == 1)
        #expect(try await count(after: 6, 10) == 0)
      }
    }

    @Test(arguments: LogKind.allCases)
    func `positions beyond the head of the log are rejected`(kind: LogKind) async throws {
      try await kind.withLog { test in
        _ = try await test.log.append("a")

        #expect(try await code { _ = try await test.log.page(after: 2, limit: 1) } == .ahead)
        let snapshot = LogSnapshot(sequence: 2, reducer: 1, digest: "d", state: Data())
        #expect(try await code { _ = try await test.log.save(snapshot) } == .ahead)
        #expect(try await test.log.newestSnapshot() == nil)
      }
    }

    @Test(arguments: LogKind.allCases)
    func `a batch with an oversized entry or an invalid name is refused as a whole`(
      kind: LogKind
    ) async throws {
      var limits = LogLimits()
      limits.entryBytes = 10
      limits.snapshotBytes = 10
      limits.factBytes = 10
      try await kind.withLog(limits: limits) { test in
        let large = AppendRequest.make("b", payload: String(repeating: "x", count: 11))
        let snapshot = LogSnapshot(sequence: 0, reducer: 1, digest: "d", state: Data(count: 11))
        let long = String(repeating: "x", count: limits.nameBytes + 1)

        let refusal = try await code { _ = try await test.log.append([.make("a"), large]) }
        #expect(refusal == .tooLarge)
        #expect(try await code { _ = try await test.log.save(snapshot) } == .tooLarge)
        #expect(
          try await code { _ = try await test.log.fact("f", orElse: Data(count: 11)) } == .tooLarge)
        for name in ["", long, "a\u{0}b"] {
          #expect(try await code { _ = try await test.log.append("a", name) } == .invalidName)
          #expect(
            try await code {
              _ = try await test.log.acquireLease(name, holder: "h", for: .seconds(1))
            } == .invalidName)
        }
        #expect(try await test.log.allIDs() == [])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `readers wake after an append elsewhere`(kind: LogKind) async throws {
      try await kind.withLog { test in
        var wakes = test.log.wakes().makeAsyncIterator()
        let reading = Transcript<String>()
        let other = try test.makeOther()
        _ = try await other.append("a")

        while reading.entries.count < 2 {
          await wakes.next()
          for id in try await test.log.allIDs(after: UInt64(reading.entries.count)) {
            reading.append(id)
            if id == "a" { _ = try await other.append("b") }
          }
        }

        #expect(reading.entries == ["a", "b"])
      }
    }

    @Test(arguments: LogKind.allCases)
    func `concurrent appends get one order, and readers never see a gap`(
      kind: LogKind
    ) async throws {
      try await kind.withLog { test in
        let (writers, rounds) = (6, 40)
        let reader = Task {
          var seen: [SequencedEntry] = []
          for await _ in test.log.wakes() {
            while true {
              let page = try await test.log.page(after: UInt64(seen.count), limit: 7)
              seen += page.entries
              if seen.count == writers * rounds + rounds { return seen }
              if page.entries.isEmpty { break }
            }
          }
          return seen
        }
        let answers = try await withThrowingTaskGroup(of: [(String, UInt64)].self) { group in
          for writer in 0..<writers {
            let log = try test.makeOther()
            group.addTask {
              var answers: [(String, UInt64)] = []
              for round in 0..<rounds {
                // One of its own, and one that all of them want.
                let ids = ["\(writer)-\(round)", "all-\(round)"]
                for (id, answer) in zip(ids, try await log.append(ids.map { .make($0) })) {
                  answers.append((id, try #require(answer.sequence)))
                }
              }
              return answers
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }

        let seen = try await reader.value
        #expect(seen.map(\.sequence) == Array(1...UInt64(writers * rounds + rounds)))
        #expect(Set(seen.map(\.entry.id)).count == seen.count)
        #expect(answers.allSatisfy { id, sequence in seen[Int(sequence) - 1].entry.id == id })
      }
    }
  }
}
