public import ImmutableData

/// Selects a value that is derived from the rows of a table, for a component: a sorted list,
/// counts, or anything else that can be updated incrementally (``/ImmutableData/Derivation``).
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
/// After an action it looks only at the rows that the action has changed, however many rows the
/// table has. These rows are found once for all selectors of the table. It needs no filter and no
/// dependencies.
///
/// A ``Selector`` is simpler, and as fast if it selects a small value.
@propertyWrapper public struct TableSelector<Store, Derived>: Hashable, Sendable
where
  Store: ImmutableData.Selector, Store: ImmutableData.Streamer, Store: AnyObject,
  Derived: Derivation
{
  private let definition: SelectorDefinition<TableMemo<Store.State, Store.Action, Derived>>

  /// - Parameters:
  ///   - id: Everything that `empty` captures; `nil` if it captures nothing.
  ///   - label: A name for logs; the call site by default.
  ///   - table: The table in the state.
  ///   - empty: The derivation of an empty table.
  public init(
    id: (any Hashable & Sendable)? = nil,
    label: String? = nil,
    from table: any KeyPath<Store.State, Table<Derived.Row>> & Sendable,
    into empty: Derived,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(id, nil, label, table, empty, CallSite(file: file, line: line, column: column)) {
      AllRows(of: table)
    }
  }

  /// A selector that depends only on the rows of some groups. It reads only those rows, and changes
  /// to other groups cost it nothing.
  ///
  /// ```swift
  /// TableSelector(
  ///   id: "Mammal",
  ///   from: \.animals.table,
  ///   in: Animal.byCategory.groups(["Mammal"]),
  ///   into: SortedRows(by: RowOrder(\.name)) { $0.categoryId == "Mammal" }
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - id: Everything that `empty` and the keys of the groups capture; `nil` if they capture
  ///     nothing.
  ///   - label: A name for logs; the call site by default.
  ///   - table: The table in the state.
  ///   - groups: The groups; `nil` for all rows. `empty` must ignore all rows of other groups.
  ///   - empty: The derivation of an empty table.
  public init<Key>(
    id: (any Hashable & Sendable)? = nil,
    label: String? = nil,
    from table: any KeyPath<Store.State, Table<Derived.Row>> & Sendable,
    in groups: RowGroups<Derived.Row, Key>?,
    into empty: Derived,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let callSite = CallSite(file: file, line: line, column: column)
    self.init(id, groups.map { ObjectIdentifier($0.index) }, label, table, empty, callSite) {
      if let groups { GroupedRows(groups, of: table) } else { AllRows(of: table) }
    }
  }

  /// A selector of one row. Changes to other rows cost it nothing.
  ///
  /// ```swift
  /// @TableSelector<Store, SingleRow<Animal>> var wrappedValue: Animal?
  ///
  /// init(animalId: Animal.ID?) {
  ///   self._wrappedValue = TableSelector(row: animalId, from: \.animals.table)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - rowID: The row's id; `nil` selects no row.
  ///   - id: Everything that `isIncluded` captures besides `rowID`; `nil` if that is nothing.
  ///   - label: A name for logs; the call site by default.
  ///   - table: The table in the state.
  ///   - isIncluded: Whether to select the row.
  public init<Row>(
    row rowID: Row.ID?,
    id: (any Hashable & Sendable)? = nil,
    label: String? = nil,
    from table: any KeyPath<Store.State, Table<Row>> & Sendable,
    where isIncluded: @escaping @Sendable (Row) -> Bool = { _ in true },
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) where Derived == SingleRow<Row> {
    self.init(
      RowKey(row: rowID, id: id.map { AnySendableHashable(value: $0) }),
      nil, label, table, SingleRow(where: { $0.id == rowID && isIncluded($0) }),
      CallSite(file: file, line: line, column: column)
    ) {
      RowWithID(rowID, of: table)
    }
  }

  private struct RowKey<ID: Hashable & Sendable>: Hashable, Sendable {
    let row: ID?
    let id: AnySendableHashable?
  }

  /// What a selector depends on besides its call site.
  private struct TableKey: Hashable, Sendable {
    let id: AnySendableHashable?
    let index: ObjectIdentifier?
    let table: any AnyKeyPath & Sendable

    /// Without the table: hashing a key path is slow, and few selectors differ in nothing else.
    func hash(into hasher: inout Hasher) {
      hasher.combine(self.id)
      hasher.combine(self.index)
    }
  }

  /// - Parameter index: The index of the groups that it depends on. Their source retains it.
  private init(
    _ id: (any Hashable & Sendable)?,
    _ index: ObjectIdentifier?,
    _ label: String?,
    _ table: any KeyPath<Store.State, Table<Derived.Row>> & Sendable,
    _ empty: Derived,
    _ callSite: CallSite,
    _ makeSource: @escaping @Sendable () -> any RowSource<Store.State, Store.Action, Derived.Row>
  ) {
    let id = TableKey(
      id: id.map { AnySendableHashable(value: $0) }, index: index, table: table)
    let key = MemoKey(callSite: callSite, id: AnySendableHashable(value: id))
    self.definition = SelectorDefinition(key: key) {
      TableMemo(
        label: label ?? callSite.description, path: table, source: makeSource(), empty: empty)
    }
  }

  /// The derived value for the state that is being rendered. Reading it outside a render is a
  /// programmer error.
  public var wrappedValue: Derived.Output { self.definition.output }
}
