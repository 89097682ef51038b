/// A part of a product's state, and some of the parts in it.
struct StatePart: Hashable, Sendable {
  struct Row: Identifiable, Hashable, Sendable {
    let label: String
    let type: String
    let summary: String
    /// Its path, if it has parts; otherwise `nil`.
    let path: Path?

    var id: String { self.label }
  }

  /// The maximum number of parts that are shown at a time.
  static let limit = 100

  /// Whether the part exists.
  let isFound: Bool
  let type: String
  let summary: String
  let rows: [Row]
  /// The position of the first row.
  let start: Int
  let count: Int

  /// - Parameter start: The position of the first row. If there are no rows from there on, those at
  ///   the end are shown.
  init(of product: String, after id: Int?, at path: Path, from start: Int, in state: DeveloperState)
  {
    let value = state.state(of: product, after: id)
      .flatMap { Inspection.value(at: path, in: $0) }
    self.isFound = value != nil
    let inspection = value.map(Inspection.init)
    self.type = inspection.map { Self.type(of: $0) } ?? ""
    self.summary = inspection?.summary ?? ""
    self.count = inspection?.count ?? 0
    let last = max(0, self.count - 1) / Self.limit * Self.limit
    self.start = start < self.count ? max(0, start) : last
    let range = self.start..<(self.start + Self.limit)
    self.rows = (inspection?.parts(range) ?? []).map { part in
      let inner = Inspection(part.value)
      return Row(
        label: part.label,
        type: Self.type(of: inner),
        summary: inner.summary,
        path: inner.count > 0 ? path.appending(part.label) : nil
      )
    }
  }

  /// The name of the value's type; empty if the summary begins with it.
  private static func type(of inspection: Inspection) -> String {
    inspection.summary.hasPrefix("\(inspection.type)(") ? "" : inspection.type
  }
}
