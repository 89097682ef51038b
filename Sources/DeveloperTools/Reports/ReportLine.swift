import Foundation
import ImmutableData
import ImmutableRuntime

/// What a visitor did, as the visitor is shown it before it is sent.
struct ReportLine: Hashable, Sendable {
  let time: Date
  let text: String
  /// What is kept of it, with pseudonyms; `nil` if that is all.
  let detail: String?
}

/// What a visitor is shown of a span.
struct ReportExcerpt: Hashable, Sendable {
  var lines: [ReportLine] = []
  /// How many other actions there were.
  var others = 0

  init() {}

  /// - Parameters:
  ///   - entries: Those of the span.
  ///   - session: The visitor's.
  ///   - redact: Makes what an action carries, and a URL, what is kept of it.
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
    case .shows:
      let text = "You opened \(url)"
      // A page that becomes live is opened once.
      if self.lines.last?.text != text {
        self.lines.append(ReportLine(time: time, text: text, detail: nil))
      }
    case .posts(let form, .some):
      self.lines.append(
        ReportLine(
          time: time, text: "You used \u{201C}\(form)\u{201D} on \(url), and it was refused",
          detail: nil))
    case .posts(let form, nil):
      self.lines.append(
        ReportLine(
          time: time, text: "You used \u{201C}\(form)\u{201D} on \(url)", detail: detail))
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
