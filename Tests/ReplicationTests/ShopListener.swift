import ActionLogs
import ImmutableData
import Replication
import TestSupport

/// Orders what is to be ordered.
@MainActor final class ShopListener: EffectListener<Shop, ShopAction> {
  private let name: String
  private let runs: Transcript<String>
  private let isHeld: Bool
  private let gate: Transcript<String>?
  private let result: String
  private let isDelivering: Bool
  private let effectLanes: EffectLanes

  init(
    _ name: String,
    _ runs: Transcript<String>,
    _ store: Store<Shop, ShopAction>,
    _ lanes: EffectLanes = EffectLanes(),
    isHeld: Bool = false,
    gate: Transcript<String>? = nil,
    result: String = "done",
    isDelivering: Bool = false,
    isFollowing: Bool = false
  ) {
    self.name = name
    self.runs = runs
    self.isHeld = isHeld
    self.gate = gate
    self.result = result
    self.effectLanes = lanes
    self.isDelivering = isDelivering
    let deliveries = OutsideEvents<Shop, ShopAction>("deliveries") { following in
      runs.append("\(name) follows")
      try await following.store.dispatch(action: .didDeliver(1))
      if let gate {
        await gate.wait { $0.isEmpty == false }
        try await following.store.dispatch(action: .didDeliver(100))
        runs.append("\(name) reports")
      }
      defer { runs.append("\(name) ends") }
      try await Task.sleep(for: .seconds(3_600))
    }
    super.init(lanes: lanes, label: "shop", outside: isFollowing ? [deliveries] : [])
    self.listen(to: store)
  }

  /// The number of its effects that have not ended.
  var effectCount: Int { self.effectLanes.count }

  override func interrupted(in state: Shop) -> [ShopAction] {
    state.orders.filter { $0.value == "waiting" }.keys.sorted()
      .map { .didOrder($0, result: "interrupted") }
  }

  override func effects(_ oldState: Shop, _ newState: () -> Shop, _ action: ShopAction) -> [Effect]
  {
    guard case .didTapOrder(let order) = action else { return [] }
    let thunk: Effect.Thunk = { [name, runs, isHeld, gate, result, isDelivering] dispatcher, _ in
      runs.append("\(name) \(order)")
      if isDelivering { try await dispatcher.dispatch(action: .didDeliver(1)) }
      if isHeld { try await Task.sleep(for: .seconds(3_600)) }
      await gate?.wait { $0.contains(order) || $0.contains("go") }
      try await dispatcher.dispatch(action: .didOrder(order, result: result))
    }
    return [Effect("order", while: { $0.orders[order] == "waiting" }, thunk)]
  }
}

extension ShopListener {
  /// - Parameters:
  ///   - isHeld: Whether its effects do not end.
  ///   - gate: Its effects wait until this has an entry with their order, or one for all, and its
  ///     second delivery from outside waits until it has any.
  ///   - result: What its effects report.
  ///   - isDelivering: Whether its effects first deliver something.
  ///   - isFollowing: Whether it follows deliveries from outside.
  static func join(
    _ log: some ActionLog,
    _ name: String,
    _ runs: Transcript<String>,
    lease: Duration = .seconds(1),
    deadline: Duration = .seconds(120),
    isHeld: Bool = false,
    gate: Transcript<String>? = nil,
    result: String = "done",
    isDelivering: Bool = false,
    isFollowing: Bool = false
  ) async throws -> (Node, ShopListener) {
    let lanes = EffectLanes(deadline: deadline)
    let node = try await Node.join(log, node: name) {
      $0.lanes = lanes
      $0.lease = lease
      $0.patience = .seconds(60)
    }
    let listener = ShopListener(
      name, runs, node.store, lanes, isHeld: isHeld, gate: gate, result: result,
      isDelivering: isDelivering, isFollowing: isFollowing)
    return (node, listener)
  }
}
