import HTMLTemplates
import ImmutableData
import ImmutableUI

/// One action: what it carried, and what it has changed.
struct LogEntryDetail: Presenter, Hashable {
  private static let partLimit = 200

  @SelectEntry private var entry: Entry?
  @SelectCanDispatch private var canDispatch: Bool

  init(id: Int) {
    self._entry = SelectEntry(id)
  }

  static let template = Template<Self>([
    .link("close", DeveloperLog.Local.self) { local, _ in local.entry = nil },
    .optional(
      "example", [.link("use", to: DeveloperDispatch.page()) { $0.example = $1.id }]
    ) { detail in
      detail.canDispatch ? detail.entry.flatMap { $0.isJSON ? $0 : nil } : nil
    },
    .optional("past", Self.past) { detail in
      detail.canDispatch ? detail.entry.flatMap { $0.whole == nil ? nil : $0 } : nil
    },
    .optional("fork", Self.fork) { $0.entry.flatMap { $0.whole == nil ? nil : $0 } },
    .optional("entry", Self.slots) { $0.entry },
  ])

  private static let past: Slots<Entry> = [
    .form("goBack", Self.onTapGoBackButton),
    .field("number", Self.number) { $0.id },
  ]

  private static let fork: Slots<Entry> = [
    .link("open", to: DeveloperFork.page()) { local, entry in
      local.plan = ForkPlan(from: entry.id)
      local.url = entry.page ?? ""
    }
  ]

  private static let number = Field<Int>.hidden("entry")

  private static let onTapGoBackButton = Form<DeveloperAction>(
    "goBack", .repeatable, fields: Self.number
  ) {
    .ui(.onTapGoBackButton(entry: $0))
  }

  private static let slots: Slots<Entry> = [
    .text("name") { $0.name },
    .text("product") { $0.product },
    .text("version") { "\($0.dispatch.version)" },
    .text("time") { $0.clock },
    .text("duration") { $0.duration },
    .text("origin") { $0.dispatch.origin?.text ?? "" },
    .text("window") { $0.window ?? "" },
    .text("refusal") { $0.refusal ?? "" },
    .each("parts", Self.part) { $0.parts(limit: Self.partLimit) },
    .text("json") { $0.json ?? "" },
    .nested("difference", Self.difference) { StateDifference(from: $0.oldState, to: $0.state) },
    .optional("page", Self.page) { entry in entry.page.map { Page(url: $0, entry: entry.id) } },
    .link("state", to: DeveloperStates.page()) { local, entry in
      local.product = entry.product
      local.at = entry.id
    },
  ]

  private static let page: Slots<Page> = [
    .text("url") { $0.url },
    .link("causes", to: DeveloperTime.page()) { local, page in
      local.url = page.url
      local.at = page.entry
    },
  ]

  private struct Page: Sendable {
    let url: String
    let entry: Int
  }

  private static let part: Slots<Entry.Part> = [
    .text("label") { $0.label },
    .text("summary") { $0.summary },
  ]

  static let difference: Slots<StateDifference> = [
    .flag("isEmpty") { $0.changes.isEmpty },
    .text("further") { "\($0.furtherCount)" },
    .flag("isCut") { $0.furtherCount > 0 },
    .each("changes", Self.change) { $0.changes },
  ]

  private static let change: Slots<StateDifference.Change> = [
    .text("path") { $0.path },
    .text("old") { $0.old ?? "" },
    .text("new") { $0.new ?? "" },
  ]
}

extension Entry {
  /// The window that posted the form it came from.
  fileprivate var window: String? { self.dispatch.origin?.window }

  /// The page it came from.
  fileprivate var page: String? {
    switch self.dispatch.origin {
    case .form(_, let path, _)?, .page(let path)?: path
    case .effect?, .outside?, .elsewhere?, nil: nil
    }
  }

  /// What the action carries, by path.
  fileprivate func parts(limit: Int) -> [Part] {
    var parts: [Part] = []
    func add(_ value: Any, at path: Path) {
      guard parts.count < limit else { return }
      let inspection = Inspection(value)
      if path.labels.isEmpty == false {
        parts.append(Part(label: path.description, summary: inspection.summary))
      }
      guard path.labels.count < 8 else { return }
      for part in inspection.parts(0..<20) { add(part.value, at: path.appending(part.label)) }
    }
    add(self.dispatch.action, at: Path())
    return parts
  }

  struct Part: Sendable {
    let label: String
    let summary: String
  }
}
