public import GRDB

/// Reads the columns of a row. What throws ``LocalStoreError``, `invalidRow`, has found a value of
/// another kind, or none.
extension Row {
  /// The text of a column, including NUL characters, at which GRDB would end it.
  ///
  /// - Throws: ``LocalStoreError``, `invalidRow` if it is not valid UTF-8 text.
  public func text(_ index: Int) throws -> String {
    try self.valid(self.storedText(index), "text", index)
  }

  /// Like ``text(_:)``; `nil` if the column has no value.
  public func textIfPresent(_ index: Int) throws -> String? {
    try self.ifPresent(index, self.text)
  }

  /// The integer in a column.
  ///
  /// - Throws: ``LocalStoreError``, `invalidRow` if it contains none.
  public func integer(_ index: Int) throws -> Int {
    try self.valid(self.storedInteger(index), "integer", index)
  }

  /// Like ``integer(_:)``; `nil` if the column has no value.
  public func integerIfPresent(_ index: Int) throws -> Int? {
    try self.ifPresent(index, self.integer)
  }

  /// Whether a column has an integer other than 0.
  public func isTrue(_ index: Int) -> Bool {
    self.storedInteger(index).map { $0 != 0 } ?? false
  }

  /// The number in a column.
  ///
  /// - Throws: ``LocalStoreError``, `invalidRow` if it contains none.
  public func number(_ index: Int) throws -> Double {
    let number: Double? =
      switch (self[index] as DatabaseValue).storage {
      case .double(let number): number
      case .int64(let number): Double(number)
      default: nil
      }
    return try self.valid(number, "number", index)
  }

  /// Like ``number(_:)``; `nil` if the column has no value.
  public func numberIfPresent(_ index: Int) throws -> Double? {
    try self.ifPresent(index, self.number)
  }

  private func storedText(_ index: Int) throws -> String? {
    try self.withUnsafeData(atIndex: index) { data in
      data.flatMap { String(validating: $0, as: UTF8.self) }
    }
  }

  private func storedInteger(_ index: Int) -> Int? {
    guard case .int64(let number) = (self[index] as DatabaseValue).storage else { return nil }
    return Int(exactly: number)
  }

  private func ifPresent<Value>(_ index: Int, _ read: (Int) throws -> Value) rethrows -> Value? {
    (self[index] as DatabaseValue).isNull ? nil : try read(index)
  }

  private func valid<Value>(_ value: Value?, _ kind: String, _ index: Int) throws -> Value {
    if let value { return value }
    let id = index == 0 ? nil : try self.storedText(0)
    throw LocalStoreError(
      code: .invalidRow,
      message: "The database has a row\(id.map { " “\($0)”" } ?? "") without \(kind) in the column "
        + "“\(Array(self.columnNames)[index])”. Repair the database, or use a newer version of this "
        + "program."
    )
  }
}
