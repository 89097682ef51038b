import ImmutableData

/// Finds where two values of one type differ.
///
/// Tables are compared by the structure that they share (`Table.difference`), lists by their bytes
/// first, and everything else part by part. Values that are derived from tables (`Derivation`) are
/// not compared.
enum StateComparison {
  /// Calls a closure with each part that differs, and with no other parts.
  ///
  /// - Parameters:
  ///   - skipsUncomparedParts: Whether parts that equality leaves out count as equal.
  ///   - body: Receives the path of the part, and its value in each of the two states; `nil` for no
  ///     value.
  /// - Complexity: O(d log n + p + b), d rows that differ in tables of n rows, p other parts, without
  ///   the equal elements of lists, and b bytes of lists that have changed.
  static func visit(
    _ old: Any,
    _ new: Any,
    at path: Path = Path(),
    skipsUncomparedParts: Bool = false,
    _ body: (_ path: Path, _ old: Any?, _ new: Any?) -> Void
  ) {
    if HeapEstimate.isCopy(new, of: old) || InspectedType.isDerived(new) { return }
    if let rows = InspectedType.rows(new), let changes = rows.changes(from: old) {
      for change in changes.sorted(by: { $0.key < $1.key }) {
        let path = path.appending(change.key)
        if let old = change.old, let new = change.new {
          Self.visit(old, new, at: path, skipsUncomparedParts: skipsUncomparedParts, body)
        } else {
          body(path, change.old, change.new)
        }
      }
      return
    }
    if let old = InspectedType.list(old), let new = InspectedType.list(new),
      old.count == new.count, let positions = new.changedPositions(since: old)
    {
      for position in positions {
        Self.visit(
          old.element(position), new.element(position), at: path.appending("\(position)"),
          skipsUncomparedParts: skipsUncomparedParts, body)
      }
      return
    }
    let (before, after) = (Inspection(old), Inspection(new))
    guard before.count > 0, before.count == after.count else {
      // Equal texts may have different bytes.
      let isSame =
        before.count == after.count && before.shape == after.shape
        && before.text.utf8.elementsEqual(after.text.utf8)
      if isSame == false { body(path, old, new) }
      return
    }
    let (oldParts, newParts) =
      skipsUncomparedParts
      ? (before.comparedParts, after.comparedParts) : (before.allParts, after.allParts)
    guard before.shape == after.shape, oldParts.map(\.label) == newParts.map(\.label) else {
      body(path, old, new)
      return
    }
    for (old, new) in zip(oldParts, newParts) {
      Self.visit(
        old.value, new.value, at: path.appending(new.label),
        skipsUncomparedParts: skipsUncomparedParts, body)
    }
  }
}
