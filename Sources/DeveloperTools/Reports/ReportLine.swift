import Foundation
import ImmutableData
import ImmutableRuntime

/// Something that a visitor did, as it is shown to the visitor before it is sent.
struct ReportLine: Hashable, Sendable {
  let time: Date
  let text: String
  /// The recorded payload, with pseudonyms; `nil` if there is none.
  let detail: String?
}

/// The contents of a span that a visitor is shown.
struct ReportExcerpt: Hashable, Sendable {
  var lines: [ReportLine] = []
  /// The number of other actions.
  var others = 0

  init() {}

  /// - Parameters:
  ///   - entries: The entries of the span.
  ///   - session: The visitor's session.
  ///   - redact: Replaces personal text in a payload and in a URL.
  init<State, Action>(
    of entries: [ReportJournal<State, Action>.Entry],
    for session: Identifier,
    action redact: (Action) -> Action,
    url: (Visit) -> String
  ) {
    let own = ReportVersions(of: entries, session)
    var details: [UInt64: String] = [:]
    for case .dispatch(let dispatch) in entries.map(\.event) {
      guard own.contain(dispatch) else {
        self.others += 1
        continue
      }
      let name = ActionName(redact(dispatch.action))
      details[dispatch.version] =
        name.payload.isEmpty ? name.cases : "\(name.cases): \(name.payload)"
    }
    for entry in entries {
      guard case .visit(let visit) = entry.event, visit.session == session else { continue }
      self.add(visit, entry.time, url(visit), details[visit.version])
    }
  }

  private mutating func add(_ visit: Visit, _ time: Date, _ url: String, _ detail: String?) {
    switch visit.event {
    case .opens, .joins, .navigates:
      let text = "You opened \(url)"
      // A page that becomes live counts as opened once.
      if self.lines.last?.text != text {
        self.lines.append(ReportLine(time: time, text: text, detail: nil))
      }
    // The names of forms are not for visitors.
    case .posts(_, .some):
      let text = "You pressed a button on \(url), and it was refused"
      self.lines.append(ReportLine(time: time, text: text, detail: nil))
    case .posts(_, nil):
      let text = "You pressed a button on \(url)"
      self.lines.append(ReportLine(time: time, text: text, detail: detail))
    }
  }
}

/// The versions of a visitor's own actions.
struct ReportVersions {
  private var versions: Set<UInt64> = []

  init<State, Action>(of entries: [ReportJournal<State, Action>.Entry], _ session: Identifier) {
    for case .visit(let visit) in entries.map(\.event) where visit.session == session {
      if case .posts(_, nil) = visit.event { self.versions.insert(visit.version) }
    }
  }

  /// Whether the visitor has caused an action.
  func contain<State, Action>(_ dispatch: Dispatch<State, Action>) -> Bool {
    guard case .success = dispatch.result, case .form = dispatch.origin else { return false }
    return self.versions.contains(dispatch.version)
  }
}
