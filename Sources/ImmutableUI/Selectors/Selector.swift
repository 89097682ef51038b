public import ImmutableData

/// Selects a value for a component from the store of its ``Provider``. ImmutableData has a protocol
/// with the same name, so write `@ImmutableUI.Selector`.
///
/// ```swift
/// @propertyWrapper struct SelectValue: Hashable {
///   @ImmutableUI.Selector(outputSelector: CounterState.selectValue()) var wrappedValue: Int
/// }
/// ```
///
/// When the value is read during a render, the selector runs at most once per frame, no matter how
/// many components, windows or places read it. Equal selectors share one memo, which is identified
/// by store, call site and `id`: everything that a selector's closures capture must be in its `id`.
///
/// Source: the guide, chapter ImmutableUI, section Selector. Unlike the guide's, it is not bound to
/// the main actor, and finds its store by type.
@propertyWrapper public struct Selector<Store, each Dependency, Output>: Hashable, Sendable
where
  Store: ImmutableData.Selector, Store: ImmutableData.Streamer, Store: AnyObject,
  repeat each Dependency: Sendable, Output: Sendable
{
  private let definition:
    SelectorDefinition<StoreMemo<Store.State, Store.Action, repeat each Dependency, Output>>

  /// - Parameters:
  ///   - id: Everything that the closures capture; `nil` if they capture nothing.
  ///   - label: A name for logs; the call site by default.
  ///   - isIncluded: Returns false for actions that cannot change the dependencies or the output.
  ///     It receives the state before the action.
  ///   - dependencySelector: What the output depends on; if there are none, the whole state.
  ///   - outputSelector: Derives the output.
  public init(
    id: (any Hashable & Sendable)? = nil,
    label: String? = nil,
    filter isIncluded: (@Sendable (Store.State, Store.Action) -> Bool)? = nil,
    dependencySelector: repeat DependencySelector<Store.State, each Dependency>,
    outputSelector: OutputSelector<Store.State, Output>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let callSite = CallSite(file: file, line: line, column: column)
    let key = MemoKey(callSite: callSite, id: id.map { AnySendableHashable(value: $0) })
    self.definition = SelectorDefinition(key: key) {
      StoreMemo(
        label: label ?? callSite.description,
        filter: isIncluded,
        memo: Memo(
          dependencySelector: repeat each dependencySelector,
          outputSelector: outputSelector
        )
      )
    }
  }

  /// The output for the state that is being rendered. Reading it outside a render is a programmer
  /// error.
  public var wrappedValue: Output { self.definition.output }
}

// The usual case: values differ if they are not equal.
extension Selector {
  /// - Parameters:
  ///   - id: Everything that the closures capture; `nil` if they capture nothing.
  ///   - label: A name for logs; the call site by default.
  ///   - isIncluded: Returns false for actions that cannot change the dependencies or the output.
  ///     It receives the state before the action.
  ///   - dependencySelector: What the output depends on; if there are none, the whole state.
  ///   - outputSelector: Derives the output.
  public init<State>(
    id: (any Hashable & Sendable)? = nil,
    label: String? = nil,
    filter isIncluded: (@Sendable (State, State.Action) -> Bool)? = nil,
    dependencySelector: repeat @escaping @Sendable (State) -> each Dependency,
    outputSelector: @escaping @Sendable (State) -> Output,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  )
  where
    State: StoreState, Store == ImmutableData.Store<State, State.Action>,
    repeat each Dependency: Equatable, Output: Equatable
  {
    self.init(
      id: id,
      label: label,
      filter: isIncluded,
      dependencySelector: repeat DependencySelector(select: each dependencySelector),
      outputSelector: OutputSelector(select: outputSelector),
      file: file,
      line: line,
      column: column
    )
  }
}
