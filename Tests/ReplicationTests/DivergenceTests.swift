import ActionLogs
import Foundation
import ImmutableData
import Logging
import Replication
import Synchronization
import TestSupport
import Testing

/// What servers do when their states differ.
@MainActor @Suite(.timeLimit(.minutes(20))) struct DivergenceTests {
  @Test func `a server whose state differs from the others stops`() async throws {
    let log = MemoryLog()
    let wrong = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      var shop = try Shop.reducer.reduce(state: shop, action: action)
      shop.stock += 1
      return shop
    }
    let first = try await Node.join(log) { $0.snapshotInterval = 2 }
    for _ in 0..<2 { _ = try await first.post(.didDeliver(1)) }
    while try await log.newestSnapshot() == nil { await letOthersGoOn() }

    let second = await replicaError {
      _ = try await Node.join(log) { configuration in
        configuration.snapshotInterval = 2
        configuration.coding = SnapshotCoding(
          encode: Shop.coding.encode, decode: Shop.coding.decode,
          digest: { "other \(Shop.coding.digest($0))" })
      }
    }
    // It does not begin with the snapshot, and folds the same entries otherwise.
    let third = await replicaError {
      _ = try await Node.join(
        SnapshotlessLog(log: log), change: { $0.snapshotInterval = 2 }, reduce: wrong)
    }

    #expect(second?.code == .stopped)
    #expect(third?.code == .stopped)
    #expect(third?.message.contains("entry 2") == true)
  }

  @Test func `a server whose state becomes corrupt stops, and logs where`() async throws {
    let log = MemoryLog()
    let lines = Transcript<String>()
    let first = try await Node.join(log, node: "first") {
      $0.markInterval = 4
      $0.markPause = .seconds(6_000)
      $0.logger = Logger(label: "first") { _ in LineLog(lines: lines) }
    }
    let second = try await Node.join(
      log, node: "second",
      change: {
        $0.markInterval = 4
        $0.markPause = .seconds(6_000)
      },
      reduce: Self.reducer(spoilingOnce: .didDeliver(6)))
    for count in 1...8 { _ = try await first.post(.didDeliver(count)) }
    await second.wait { $0.stock == 3 + 36 + 1 }

    // What the second tells of its state, the first finds wrong.
    while lines.entries.isEmpty {
      _ = try await second.post(.didTapBuy("second"), id: UUID().uuidString)
      _ = try await second.post(.didDeliver(1))
      await letOthersGoOn()
    }
    await first.waitForStatus { $0 == .current }
    #expect(lines.entries.count == 1)
    #expect(lines.entries.first?.contains("Another server's state differs from the log") == true)
    #expect(lines.entries.first?.contains("second") == true)

    // What the first tells of its state, the second finds right.
    var reason: String?
    while reason == nil {
      _ = try await first.post(.didDeliver(1))
      if case .stopped(let message) = second.replica.status { reason = message }
      await letOthersGoOn()
    }
    #expect(reason?.hasPrefix("After entry 8 the state differs from that of the log") == true)
    #expect(reason?.contains("; after entry 4 it was") == true)
    #expect(reason?.contains("it differs in stock. Restart it") == true)
    await first.waitForStatus { $0 == .current }

    let again = try await Node.join(log)
    #expect(again.store.state == first.store.state)
  }

  @Test func `with few entries, a corrupt state is found after the entry that spoilt it`()
    async throws
  {
    let log = MemoryLog()
    let first = try await Node.join(log, node: "first") { $0.markPause = .zero }
    let second = try await Node.join(
      log, node: "second", change: { $0.markPause = .zero },
      reduce: Self.reducer(spoilingOnce: .didDeliver(6)))
    for count in [1, 6] { _ = try await first.post(.didDeliver(count)) }
    await second.wait { $0.stock == 3 + 7 + 1 }

    var reason: String?
    while reason == nil {
      _ = try await first.post(.didDeliver(1))
      if case .stopped(let message) = second.replica.status { reason = message }
      await letOthersGoOn()
    }

    let found =
      "After entry 2 the state differs from that of the log; after entry 1 it was still right"
    #expect(reason?.hasPrefix(found) == true)
    await first.waitForStatus { $0 == .current }
  }

  /// As if memory were damaged, once: the same entry is later reduced as it should be.
  private static func reducer(
    spoilingOnce spoilt: ShopAction
  ) -> Reducer<Shop, ShopAction> {
    let isSpoilt = Mutex(false)
    return Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      var shop = try Shop.reducer.reduce(state: shop, action: action)
      if action == spoilt, isSpoilt.withLock({ exchange(&$0, true) }) == false {
        shop.stock += 1
      }
      return shop
    }
  }

  @Test(arguments: [false, true])
  func `a corrupt state is not saved as a snapshot`(atBarrier: Bool) async throws {
    let log = MemoryLog()
    let isSpoilt = Mutex(false)
    let spoiling = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      var shop = try Shop.reducer.reduce(state: shop, action: action)
      if isSpoilt.withLock({ exchange(&$0, true) }) == false { shop.stock += 1 }
      return shop
    }
    let corrupt = try await Node.join(log, reduce: spoiling)
    // A post would be tried out before.
    try corrupt.store.dispatch(action: .didDeliver(1))
    await corrupt.wait { $0.stock == 5 }

    if atBarrier {
      let newer = await replicaError {
        _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .zero }
      }
      #expect(newer?.message.hasPrefix("No server of the older release") == true)
      await corrupt.waitForStatus { if case .stopped = $0 { true } else { false } }
    } else {
      let error = await replicaError { try await corrupt.replica.keepSnapshot() }
      let message = "After entry 1 the state differs from that of the log"
      #expect(error?.message.hasPrefix(message) == true)
    }

    #expect(try await log.newestSnapshot() == nil)
    // At a barrier it saves its state and stops.
    let right = await replicaError { try await Node.join(log).replica.keepSnapshot() }
    #expect(right == nil || atBarrier)
    let next = try await Node.join(log, reducer: atBarrier ? 2 : 1)
    #expect(next.store.state.stock == 4)
  }
}

private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
  defer { value = new }
  return value
}
