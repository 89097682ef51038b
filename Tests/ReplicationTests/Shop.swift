import ActionLogs
import Foundation
import ImmutableData
import Logging
import Replication
import TestSupport

/// A state that refuses, and that has pending operations.
struct Shop: Codable, Hashable, Sendable {
  var stock = 3
  var buyers: [String] = []
  var orders: [String: String] = [:]

  struct SoldOut: Error, Hashable {}
  struct Unknown: Error, Hashable {}

  static let reducer = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
    var shop = shop
    switch action {
    case .didTapBuy(let buyer):
      guard shop.stock > 0 else { throw SoldOut() }
      shop.stock -= 1
      shop.buyers.append(buyer)
    case .didDeliver(let count):
      shop.stock += count
    case .didTapOrder(let name):
      shop.orders[name] = "waiting"
    case .didOrder(let name, let result):
      guard shop.orders[name] != nil else { throw Unknown() }
      shop.orders[name] = result
    }
    return shop
  }

  static let coding = SnapshotCoding<Shop>(
    encode: { try JSONEncoder().encode($0) },
    decode: { try JSONDecoder().decode(Shop.self, from: $0) },
    digest: { "\($0.stock) \($0.buyers) \($0.orders.sorted { $0.key < $1.key })".hashed },
    differences: { old, new in
      [
        old.stock == new.stock ? nil : "stock", old.buyers == new.buyers ? nil : "buyers",
        old.orders == new.orders ? nil : "orders",
      ].compactMap { $0 }
    }
  )
}

enum ShopAction: Codable, Hashable, Sendable {
  case didTapBuy(String)
  case didDeliver(Int)
  case didTapOrder(String)
  case didOrder(String, result: String)
}

extension LogEntry {
  /// What is in the log is not for one release alone, so the form of its entries is told here once more.
  private struct Payload: Codable {
    let action: ShopAction
  }

  init(id: String, node: String, _ action: ShopAction) throws {
    self.init(
      id: id, product: "shop", reducer: 1, node: node,
      payload: try JSONEncoder().encode(Payload(action: action)))
  }

  var shopAction: ShopAction {
    get throws { try JSONDecoder().decode(Payload.self, from: self.payload).action }
  }
}

extension String {
  /// FNV-1a: short, and the same in every process.
  fileprivate var hashed: String {
    String(
      self.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}

/// A replica that runs, with what it has recorded.
@MainActor final class Node {
  let replica: Replica<Shop, ShopAction>
  private(set) var states: [UInt64: Shop] = [:]
  private let running: Task<Void, Never>

  static func join(
    _ log: some ActionLog,
    node: String = "node-\(UUID().uuidString)",
    reducer: Int = 1,
    change: (inout ReplicaConfiguration<Shop>) -> Void = { _ in },
    reduce: Reducer<Shop, ShopAction> = Shop.reducer
  ) async throws -> Node {
    var configuration = ReplicaConfiguration<Shop>(node: node, product: "shop", reducer: reducer)
    configuration.coding = Shop.coding
    configuration.logger.logLevel = .critical
    change(&configuration)
    return Node(
      try await Replica.join(log, configuration, initialState: Shop(), reducer: reduce))
  }

  init(_ replica: Replica<Shop, ShopAction>) {
    self.replica = replica
    self.running = Task { try? await replica.run() }
    replica.store.record { [weak self] dispatch in
      if case .success(let state) = dispatch.result { self?.states[dispatch.version] = state }
    }
  }

  var store: Store<Shop, ShopAction> { self.replica.store }

  /// Ends as a process does that is killed: it folds and answers nothing more.
  func kill() async {
    self.running.cancel()
    await self.running.value
  }

  func post(_ action: ShopAction, id: String = UUID().uuidString) async throws -> UInt64 {
    try await self.store.post(action: action, id: id)
  }

  /// Waits until the state is like that.
  func wait(until isMet: @Sendable (Shop) -> Bool) async {
    let signal = self.store.makeSignal()
    guard isMet(self.store.state) == false else { return }
    for await _ in signal where isMet(self.store.state) { return }
  }

  /// Waits until the status is like that.
  func waitForStatus(_ isMet: (ReplicaStatus) -> Bool) async {
    while isMet(self.replica.status) == false { await letOthersGoOn() }
  }
}

/// The error of a replica; `nil` if there is none, or another one.
@MainActor func replicaError(_ work: () async throws -> Void) async -> ReplicaError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? ReplicaError
  }
}
