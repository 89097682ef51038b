/// The result of an operation as an action carries it: success, or a failure with its reason.
public protocol OperationResult: Sendable {
  static func failure(error: String) -> Self
}

// For the most common case: one action that carries the result.
extension Operations {
  /// Like ``query(latestOf:isElsewhere:retry:_:actions:)``, for an action that carries the result.
  ///
  /// - Parameters:
  ///   - work: Reads.
  ///   - success: Makes the result from the value and the concurrent changes.
  ///   - action: Makes the action to dispatch.
  public func query<Dispatcher, Selector, Value: Sendable, Outcome: OperationResult>(
    _ work: @escaping @Sendable () async throws -> Value,
    success: @escaping @Sendable (Value, Meanwhile<ID>) -> Outcome,
    action: @escaping @Sendable (Outcome) -> Dispatcher.Action
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    self.query(
      { _ in try await work() },
      seeing: { (_: Selector, _, _) in },
      actions: { result, meanwhile, _ in
        switch result {
        case .success(let value): [action(success(value, meanwhile))]
        case .failure(let failure): [action(.failure(error: failure.reason))]
        }
      }
    )
  }

  /// Like ``mutation(changing:isEverything:isStored:readAgain:_:changed:isCurrent:actions:)``, for
  /// an action that carries the result.
  ///
  /// - Parameters:
  ///   - isStored: Whether the work itself writes something.
  ///   - readAgain: The query that runs if the operation was given up and succeeds later.
  ///   - work: Writes.
  ///   - changed: The ids that the state changes once the value has been written.
  ///   - isCurrent: Whether a state has the value, although these ids have changed since the operation
  ///     was given up.
  ///   - success: Makes the result from the value.
  ///   - action: Makes the action to dispatch.
  public func mutation<Dispatcher, Selector, Value: Sendable, Outcome: OperationResult>(
    isStored: Bool = true,
    readAgain: (@Sendable () -> Thunk<Dispatcher, Selector>)? = nil,
    _ work: @escaping @Sendable () async throws -> Value,
    changed: @escaping @Sendable (Value) -> [ID] = { _ in [] },
    isCurrent: @escaping @Sendable (Value, Selector.State) -> Bool = { _, _ in false },
    success: @escaping @Sendable (Value) -> Outcome,
    action: @escaping @Sendable (Outcome) -> Dispatcher.Action
  ) -> Thunk<Dispatcher, Selector>
  where Dispatcher: ImmutableData.Dispatcher, Selector: ImmutableData.Selector {
    self.mutation(
      isStored: isStored,
      readAgain: readAgain,
      { _ in try await work() },
      changed: changed,
      isCurrent: isCurrent,
      actions: { result in
        switch result {
        case .success(let value): [action(success(value))]
        case .failure(let failure): [action(.failure(error: failure.reason))]
        }
      }
    )
  }
}
