public import ImmutableData

/// Selects what is derived from the rows of a table, for a component: a sorted list, counts, anything
/// that follows the changes of a table (``/ImmutableData/Derivation``).
///
/// ```swift
/// @propertyWrapper struct SelectMammals: Hashable {
///   @TableSelector<Store, SortedRows<Animal>> var wrappedValue: SortedRows<Animal>
///
///   init() {
///     self._wrappedValue = TableSelector(
///       id: "Mammal",
///       from: \.animals.table,
///       into: SortedRows(by: RowOrder(\.name)) { $0.categoryId == "Mammal" }
///     )
///   }
/// }
/// ```
///
/// After an action it looks only at the rows that the action has changed, found once for all selectors
/// of the table, however many rows the table has. It needs no filter and no dependencies.
///
/// A ``Selector`` is simpler, and as fast where what is selected is small, or is one row.
@propertyWrapper public struct TableSelector<Store, Derived>: Sendable
where
  Store: ImmutableData.Selector, Store: ImmutableData.Streamer, Store: AnyObject,
  Derived: Derivation
{
  private let definition: SelectorDefinition<TableMemo<Store.State, Store.Action, Derived>>

  /// - Parameters:
  ///   - id: Everything that `empty` captures; `nil` if that is nothing.
  ///   - label: A name for logs.
  ///   - table: Which table of the state.
  ///   - empty: What is derived of a table without rows.
  public init(
    id: (any Hashable & Sendable)? = nil,
    label: String? = nil,
    from table: any KeyPath<Store.State, Table<Derived.Row>> & Sendable,
    into empty: Derived,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.definition = SelectorDefinition(
      key: MemoKey(
        callSite: CallSite(file: file, line: line, column: column),
        id: id.map { AnySendableHashable(value: $0) }
      )
    ) {
      TableMemo(label: label, path: table, empty: empty)
    }
  }

  /// What is derived in the state that is being rendered. Reading it outside a render is a programmer
  /// error.
  public var wrappedValue: Derived.Output { self.definition.output }
}

extension TableSelector: Hashable {
  /// Equal selectors share one memo.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.definition == rhs.definition
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.definition)
  }
}
