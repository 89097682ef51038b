import ActionLogs
import Foundation
import ImmutableData
import Replication
import TestSupport
import Testing

/// How a server reads the entries of the log.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ReadingTests {
  /// It reads after a wake, and also after an own append that does not follow its newest entry.
  @Test func `a server may read the log twice at the same time`() async throws {
    let log = MemoryLog()
    let turnstile = Turnstile()
    let node = try await Node.join(SnapshotlessLog(log: log, turnstile: turnstile))
    turnstile.isOpen = false
    while turnstile.count < 1 { await letOthersGoOn() }
    for number in 1...500 {
      let entry = try LogEntry(id: "\(number)", node: "other", .didDeliver(1))
      _ = try await log.append([AppendRequest(entry)])
    }

    let post = Task { try await node.post(.didDeliver(1)) }
    while turnstile.count < 2 { await letOthersGoOn() }
    turnstile.isOpen = true

    #expect(try await post.value == 501)
    await node.waitForStatus { $0 == .current }
    #expect(node.store.state.stock == 504)
  }

  @Test func `an entry that is missing in the log stops the server`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(SnapshotlessLog(log: log, missing: 2))

    for number in 1...3 {
      let entry = try LogEntry(id: "\(number)", node: "other", .didDeliver(number))
      _ = try await log.append([AppendRequest(entry)])
    }
    await node.waitForStatus { if case .stopped = $0 { true } else { false } }

    #expect(node.store.state.stock == 4)
    #expect(node.replica.status == .stopped("\(ActionLogError.trimmed(after: 1))"))
  }

  /// A log does not wake a server for its own entries, and the answers of effects and of posts arrive
  /// in different ways.
  @Test func `a server reduces its own entries without being woken`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(SnapshotlessLog(log: log, waking: AsyncStream { _ in }))

    let posts = (0..<50).map { number in
      Task { @MainActor in
        try node.store.dispatch(action: .didDeliver(1))
        _ = try await node.post(.didDeliver(1))
        try node.store.dispatch(action: .didDeliver(1))
      }
    }
    for post in posts { try await post.value }

    await node.wait { $0.stock == 153 }
    #expect(try await log.page(after: 0, limit: 1).head == 150)
  }

  /// It is decoded there beside the main actor. Nothing wakes the server.
  @Test func `a server reads its own entry from the log if it is large`() async throws {
    let turnstile = Turnstile()
    let node = try await Node.join(
      SnapshotlessLog(log: MemoryLog(), waking: AsyncStream { _ in }, turnstile: turnstile))
    turnstile.isOpen = false

    let small = try await node.post(.didDeliver(1))
    let large = Task { try await node.post(.didTapBuy(String(repeating: "x", count: 1 << 17))) }
    while turnstile.count < 1 { await letOthersGoOn() }
    turnstile.isOpen = true

    #expect(small == 1)
    #expect(try await large.value == 2)
  }

  @Test func `an unreadable entry stops the server instead of being skipped`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(log)
    let entry = LogEntry(
      id: "x", product: "shop", reducer: 1, node: "other", payload: Data(#"{"new":{}}"#.utf8))

    _ = try await log.append([AppendRequest(entry)])
    await node.waitForStatus { if case .stopped = $0 { true } else { false } }
    let error = await replicaError { _ = try await node.post(.didDeliver(1)) }

    #expect(error?.code == .stopped)
    #expect(
      node.replica.status
        == .stopped(
          "Entry 1 has no action of this release. "
            + "Start the release that wrote it."))
    #expect(node.store.state == Shop())
  }
}
