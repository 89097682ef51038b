/// The query of a page, and the local state that it stands for. A page may have dozens of late
/// values, and all of them read the same local state.
package struct PageQuery: Sendable {
  package let query: Query
  /// The local state that was last read.
  private var local: (any LocalState)?

  package init(_ query: Query) {
    self.query = query
  }

  mutating func local<Local: LocalState>(as type: Local.Type) -> Local {
    if let local = self.local as? Local { return local }
    let local = Local(self.query)
    self.local = local
    return local
  }
}
