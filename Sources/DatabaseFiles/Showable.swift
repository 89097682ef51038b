public import Logging

// Rows that other programs have written and that cannot be shown. They are left out and logged, so
// that they do not hide the others.

extension DatabaseFile {
  /// All values of a table that can be read, in the order in which they were inserted.
  ///
  /// - Parameters:
  ///   - logger: Receives a warning with the number of the others, and what is wrong with the first.
  ///   - warning: What they are.
  /// - Throws: ``LocalStoreError``.
  /// - Complexity: O(n), n rows.
  public func readableValues<Value>(
    of table: DatabaseTable<Value>,
    _ logger: Logger,
    _ warning: Logger.Message
  ) async throws -> [Value] {
    let (values, skipped) = try await self.read { database in
      var skipped = SkippedRows()
      let values = try table.values(database) { skipped.add($0.message) }
      return (values, skipped)
    }
    skipped.log(logger, warning)
    return values
  }
}

extension Array where Element: Identifiable, Element.ID == String {
  /// The rows of a store that can be shown.
  ///
  /// - Parameters:
  ///   - logger: Receives a warning with the number of the others, and the id of the first.
  ///   - warning: What is wrong with them.
  ///   - cleaned: Makes a row showable; `nil` if that is not possible.
  /// - Complexity: O(n), n rows.
  package func showable<Row>(
    _ logger: Logger,
    _ warning: Logger.Message,
    _ cleaned: (Element) -> Row?
  ) -> [Row] {
    var skipped = SkippedRows()
    let showable = self.compactMap { row in
      let cleaned = cleaned(row)
      if cleaned == nil { skipped.add(row.id) }
      return cleaned
    }
    skipped.log(logger, warning)
    return showable
  }
}

private struct SkippedRows: Sendable {
  private var count = 0
  private var first: String?

  mutating func add(_ description: String) {
    self.count += 1
    self.first = self.first ?? description
  }

  func log(_ logger: Logger, _ warning: Logger.Message) {
    guard let first else { return }
    logger.warning(warning, metadata: ["count": "\(self.count)", "first": "\(first)"])
  }
}
