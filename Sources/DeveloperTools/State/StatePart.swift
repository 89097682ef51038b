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
    let words = inspection.map { Self.words(for: $0) }
    self.type = words?.type ?? ""
    self.summary = words?.summary ?? ""
    self.count = inspection?.count ?? 0
    let last = max(0, self.count - 1) / Self.limit * Self.limit
    self.start = start < self.count ? max(0, start) : last
    let range = self.start..<(self.start + Self.limit)
    self.rows = (inspection?.parts(range) ?? []).map { part in
      let inner = Inspection(part.value)
      let words = Self.words(for: inner)
      return Row(
        label: part.label,
        type: words.type,
        summary: words.summary,
        path: inner.count > 0 ? path.appending(part.label) : nil
      )
    }
  }

  /// A value on one line, and the name of its type; that is empty if the line begins with it.
  private static func words(for inspection: Inspection) -> (type: String, summary: String) {
    let (type, summary) = (inspection.type, inspection.summary)
    return (summary.hasPrefix("\(type)(") ? "" : type, summary)
  }
}
