package import GRDB

extension Row {
  /// The text of a column, whatever is in it: GRDB takes it to end at a NUL.
  ///
  /// - Throws: ``LocalStoreError``, `invalidRow` for what is no text in UTF-8.
  package func text(_ index: Int) throws -> String {
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

  /// The number of a column; `nil` for what is none.
  package func number(_ index: Int) -> Double? {
    guard case .double(let number) = (self[index] as DatabaseValue).storage else { return nil }
    return number
  }
}
