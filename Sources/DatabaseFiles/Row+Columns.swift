public import GRDB

extension Row {
  /// The text of a column, including NUL characters, at which GRDB would end it.
  ///
  /// - Throws: ``LocalStoreError``, `invalidRow` if it is not valid UTF-8 text.
  public func text(_ index: Int) throws -> String {
    let text = try self.withUnsafeData(atIndex: index) { data in
      data.flatMap { String(validating: $0, as: UTF8.self) }
    }
    guard let text else {
      throw LocalStoreError(
        code: .invalidRow,
        message: "The database has a row without text in the column "
          + "“\(Array(self.columnNames)[index])”. Repair the database."
      )
    }
    return text
  }

  /// Like ``text(_:)``; `nil` if the column has no value.
  public func textIfPresent(_ index: Int) throws -> String? {
    (self[index] as DatabaseValue).isNull ? nil : try self.text(index)
  }

  /// The integer in a column; `nil` if it contains none.
  public func integer(_ index: Int) -> Int? {
    guard case .int64(let number) = (self[index] as DatabaseValue).storage else { return nil }
    return Int(exactly: number)
  }

  /// Whether a column has an integer other than 0.
  public func isTrue(_ index: Int) -> Bool {
    self.integer(index).map { $0 != 0 } ?? false
  }

  /// The number in a column; `nil` if it contains no floating-point number.
  public func number(_ index: Int) -> Double? {
    guard case .double(let number) = (self[index] as DatabaseValue).storage else { return nil }
    return number
  }
}
