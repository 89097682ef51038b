import ImmutableData
import ImmutableRuntime

/// Which rows the log shows.
struct LogFilter: Hashable, Sendable {
  var kind = LogRow.Kind.both
  /// All of its words must occur.
  var search = ""
  /// `nil` for all products.
  var product: String?
  /// The name of an action, as in ``Entry/name``; `nil` for all actions and visits.
  var action: String?
  /// The id of a window; `nil` for all windows, and for what comes from none.
  var window: String?
}

extension DeveloperState {
  /// The newest rows that a filter lets through, newest first.
  ///
  /// - Complexity: O(n), n rows.
  func rows(_ filter: LogFilter, limit: Int) -> [LogRow] {
    let words = SearchedText.words(of: filter.search)
    let caused = filter.window.map { self.entries(causedBy: $0) }
    func isShownEntry(_ entry: Entry) -> Bool {
      guard caused?.contains(entry.id) != false else { return false }
      guard filter.action == nil || filter.action == entry.name else { return false }
      return entry.contains(all: words)
    }
    func isShownVisit(_ item: VisitEntry) -> Bool {
      guard filter.product == nil || filter.product == item.visit.product else { return false }
      guard filter.window == nil || filter.window == item.visit.window else { return false }
      return item.contains(all: words)
    }
    let entries = self.entries(of: filter.product).lazy.filter(isShownEntry)
    let visits = self.visits.all.reversed().lazy.filter(isShownVisit)
    let actionLimit = filter.kind == .visits ? 0 : limit
    let visitLimit = filter.kind == .actions || filter.action != nil ? 0 : limit
    let rows =
      Array(entries.prefix(actionLimit)).map(LogRow.action)
      + Array(visits.prefix(visitLimit)).map(LogRow.visit)
    return Array(rows.sorted { $0.isNewer(than: $1) }.prefix(limit))
  }

  /// The numbers of the entries that a window's forms led to: their actions, and those of the effects
  /// that these started.
  ///
  /// - Complexity: O(n), n entries.
  private func entries(causedBy window: String) -> Set<Int> {
    var ids: Set<Int> = []
    // A refused action has the version of the one before it, and starts no effect.
    var versions: [String: Set<UInt64>] = [:]
    for entry in Array(self.entries(of: nil)).reversed() {
      let isCaused =
        switch entry.dispatch.origin {
        case .form(_, _, let origin)?: origin == window
        case .effect(_, let version?)?: versions[entry.product]?.contains(version) == true
        case .effect?, .page?, .outside?, .elsewhere?, nil: false
        }
      guard isCaused else { continue }
      ids.insert(entry.id)
      guard entry.refusal == nil else { continue }
      versions[entry.product, default: []].insert(entry.dispatch.version)
    }
    return ids
  }
}
