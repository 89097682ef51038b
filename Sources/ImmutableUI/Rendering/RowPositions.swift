import Synchronization

/// The positions of the rows of a list, by id. Lists that show the same rows in the same order share
/// it. It is made when it is first needed.
final class RowPositions<ID: Hashable & Sendable>: Sendable {
  /// Bounded by the rows that are shown.
  private let positions = Mutex<[ID: Int]?>(nil)

  /// The positions of some rows.
  ///
  /// - Parameters:
  ///   - ids: Their ids. Those that are not in the list are ignored.
  ///   - list: The list, or another that shows the same rows in the same order.
  /// - Complexity: O(k), k ids; the first time O(n), n rows.
  func find<Source, Row>(
    _ ids: some Sequence<ID>,
    in list: ListRows<Source, Row>
  ) -> [Int] where Source.ID == ID {
    self.positions.withLock { positions in
      let known =
        positions
        ?? Dictionary((0..<list.count).lazy.map { (list.id(at: $0), $0) }) { first, _ in first }
      positions = known
      return ids.compactMap { known[$0] }
    }
  }
}

/// The rows that a list was rendered from.
struct ShownRows<Source, Row>: Sendable
where
  Source: Identifiable & Hashable & Sendable, Source.ID: Sendable,
  Row: Identifiable & Equatable & Sendable, Row.ID == Source.ID
{
  let list: ListRows<Source, Row>
  let positions: RowPositions<Source.ID>

  init(_ list: ListRows<Source, Row>, at positions: RowPositions<Source.ID>? = nil) {
    self.list = list
    self.positions = positions ?? RowPositions()
  }
}
