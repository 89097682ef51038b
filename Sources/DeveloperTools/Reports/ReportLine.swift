import Foundation
import ImmutableData
import ImmutableRuntime

/// Something that a visitor did, as it is shown to the visitor before it is sent.
struct ReportLine: Hashable, Sendable {
  let time: Date
  /// In words.
  let text: String
  /// What is sent: the URL, and the recorded payload if there is one, with pseudonyms.
  let exact: String
}

/// The contents of a span that a visitor is shown.
struct ReportExcerpt: Hashable, Sendable {
  /// How the pages of visits are shown.
  struct Pages {
    /// The title of a page; `nil` if there is no such page.
    let title: (Visit) -> String?
    /// Its URL, with pseudonyms.
    let url: (Visit) -> String
  }

  var lines: [ReportLine] = []
  /// The number of other actions.
  var others = 0

  init() {}

  /// - Parameters:
  ///   - entries: The entries of the span.
  ///   - session: The visitor's session.
  ///   - redact: Replaces personal text in a payload.
  init<State, Action>(
    of entries: [ReportJournal<State, Action>.Entry],
    for session: Identifier,
    action redact: (Action) -> Action,
    pages: Pages
  ) {
    let own = ReportVersions(of: entries, session)
    var names: [UInt64: ActionName] = [:]
    for case .dispatch(let dispatch) in entries.map(\.event) {
      guard own.contain(dispatch) else {
        self.others += 1
        continue
      }
      names[dispatch.version] = ActionName(redact(dispatch.action))
    }
    for entry in entries {
      guard case .visit(let visit) = entry.event, visit.session == session else { continue }
      let page = pages.title(visit) ?? "a page that does not exist"
      self.add(visit, entry.time, page, pages.url(visit), names[visit.version])
    }
  }

  private mutating func add(
    _ visit: Visit, _ time: Date, _ page: String, _ url: String, _ name: ActionName?
  ) {
    let text: String
    var exact = url
    switch visit.event {
    // The page becomes live, or live again.
    case .joins where self.lines.contains(where: { $0.exact == url }): return
    case .opens, .joins: text = "You opened \(page)."
    case .navigates: text = "You changed what \(page) shows."
    // The names of forms are not for visitors.
    case .posts(_, .some): text = "You pressed a button on \(page), and it was refused."
    case .posts(_, nil):
      text = ["You pressed a button on \(page).", name?.carried].compactMap(\.self)
        .joined(separator: " ")
      exact = [url, name?.text].compactMap(\.self).joined(separator: "\n")
    }
    self.lines.append(ReportLine(time: time, text: text, exact: exact))
  }
}

extension ActionName {
  fileprivate var text: String {
    self.payload.isEmpty ? self.cases : "\(self.cases): \(self.payload)"
  }

  /// What an action carries, in words; `nil` if it carries nothing.
  fileprivate var carried: String? {
    guard self.payload.isEmpty == false else { return nil }
    let mirror = Mirror(reflecting: self.value)
    let labels = mirror.displayStyle == .tuple ? mirror.children.compactMap(\.label) : []
    let words = labels.filter { $0.hasPrefix(".") == false }.map(\.inWords)
    return words.isEmpty
      ? "It carries what you chose or entered."
      : "It carries: \(words.joined(separator: ", "))."
  }
}

extension String {
  /// `categoryId` is `category id`.
  fileprivate var inWords: String {
    self.reduce(into: "") { words, character in
      words += character.isUppercase ? " \(character.lowercased())" : String(character)
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
