/// Runs the effects of a listener: each is awaited, as the guide has it, or they run in lanes beside
/// the actions that call for them.
package struct EffectRunner: Sendable {
  private let lanes: EffectLanes?
  private let lane: String
  private let onError: @Sendable (any Error) -> Void

  /// - Parameters:
  ///   - lanes: Where effects run; `nil`: each is awaited.
  ///   - lane: That of what is written.
  ///   - onError: Is told what a thunk throws.
  package init(
    lanes: EffectLanes?,
    writingIn lane: String,
    onError: @escaping @Sendable (any Error) -> Void
  ) {
    self.lanes = lanes
    self.lane = lane
    self.onError = onError
  }
}

extension EffectRunner {
  /// Runs a thunk that reads: beside all others.
  ///
  /// - Parameters:
  ///   - store: What the thunk works with.
  ///   - thunk: The effect.
  @MainActor package func read<Store: Dispatcher>(
    _ store: Store,
    _ thunk: @escaping @Sendable (Store.Dispatcher, Store.Selector) async throws -> Void
  ) async {
    await self.run(store, thunk, in: nil)
  }

  /// Runs a thunk that writes: after what was to be written before it.
  ///
  /// - Parameters:
  ///   - store: What the thunk works with.
  ///   - thunk: The effect.
  @MainActor package func write<Store: Dispatcher>(
    _ store: Store,
    _ thunk: @escaping @Sendable (Store.Dispatcher, Store.Selector) async throws -> Void
  ) async {
    await self.run(store, thunk, in: self.lane)
  }

  @MainActor private func run<Store: Dispatcher>(
    _ store: Store,
    _ thunk: @escaping @Sendable (Store.Dispatcher, Store.Selector) async throws -> Void,
    in lane: String?
  ) async {
    let effect: @MainActor @Sendable () async -> Void = { [onError] in
      do {
        try await store.dispatch(thunk: thunk)
      } catch {
        onError(error)
      }
    }
    if let lanes = self.lanes {
      lanes.run(in: lane, effect)
    } else {
      await effect()
    }
  }
}
