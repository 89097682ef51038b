/// How an operation has ended, as an action says it: with success, or with a failure and its reason.
public protocol OperationResult: Sendable {
  static func failure(error: String) -> Self
}

// What most operations come to: one action, which has the result.
extension Operations {
  /// As ``query(latestOf:isElsewhere:retry:_:actions:)``, for an action that has the result.
  ///
  /// - Parameters:
  ///   - work: Reads.
  ///   - success: The result of what was read. It is given what has happened meanwhile, and the state.
  ///   - action: What to dispatch.
  public func query<Dispatcher, Selector, Value: Sendable, Outcome: OperationResult>(
    _ work: @escaping @Sendable () async throws -> Value,
    success: @escaping @Sendable (Value, Meanwhile<ID>, Selector.State) -> Outcome,
    action: @escaping @Sendable (Outcome) -> Dispatcher.Action
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    self.query { _ in
      try await work()
    } actions: { result, meanwhile, state in
      switch result {
      case .success(let value): [action(success(value, meanwhile, state))]
      case .failure(let failure): [action(.failure(error: failure.reason))]
      }
    }
  }

  /// As ``mutation(changing:isEverything:_:changed:actions:)``, for an action that has the result.
  ///
  /// - Parameters:
  ///   - work: Writes.
  ///   - changed: What the state changes when it has been written.
  ///   - success: The result of what was written.
  ///   - action: What to dispatch.
  public func mutation<Dispatcher, Selector, Value: Sendable, Outcome: OperationResult>(
    _ work: @escaping @Sendable () async throws -> Value,
    changed: @escaping @Sendable (Value) -> [ID] = { _ in [] },
    success: @escaping @Sendable (Value) -> Outcome,
    action: @escaping @Sendable (Outcome) -> Dispatcher.Action
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    self.mutation { _ in
      try await work()
    } changed: { value in
      changed(value)
    } actions: { result in
      switch result {
      case .success(let value): [action(success(value))]
      case .failure(let failure): [action(.failure(error: failure.reason))]
      }
    }
  }
}
