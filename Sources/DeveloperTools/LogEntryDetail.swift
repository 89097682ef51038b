import HTMLTemplates
import ImmutableData
import ImmutableUI
import PlainText

/// One action: its payload, and the changes that it made.
struct LogEntryDetail: Presenter, Hashable {
  private static let partLimit = 200

  @Selected<Entry?> private var entry: Entry?
  @Selected<DeveloperState.EntryPage?> private var page: DeveloperState.EntryPage?
  @Selected(outputSelector: \.canDispatch) private var canDispatch: Bool

  private let id: Int

  init(id: Int) {
    self.id = id
    self._entry = Selected(id: id, outputSelector: DeveloperState.selectEntry(id))
    self._page = Selected(id: id, outputSelector: { $0.page(of: id) })
  }

  static let template = Template<Self>([
    .text("id") { "\($0.id)" },
    .link("close", DeveloperLog.Local.self) { local, _ in local.entry = nil },
    .optional(
      "example",
      [.link("use", to: DeveloperDispatch.page(), isOptional: true) { $0.example = $1.id }]
    ) { detail in
      detail.canDispatch ? detail.entry.flatMap { $0.isJSON ? $0 : nil } : nil
    },
    .optional("past", Self.past) { detail in
      detail.canDispatch ? detail.entry.flatMap { $0.whole == nil ? nil : $0 } : nil
    },
    .optional("fork", Self.fork) { $0.entry?.whole == nil ? nil : $0 },
    .optional("entry", Self.slots) { $0.entry },
    .optional("page", Self.page) { $0.page },
  ])

  private static let past: Slots<Entry> = [
    .form("goBack", Self.onTapGoBackButton) { ["data-key": "\($0.id)"] },
    .field("number", Self.number) { $0.id },
  ]

  private static let fork: Slots<Self> = [
    .link("open", to: DeveloperFork.page()) { local, detail in
      local.plan = detail.entry.map { ForkPlan(from: $0.id) }
      local.url = detail.page?.url ?? ""
      local.seen = detail.page?.seen
    }
  ]

  private static let number = Field<Int>.hidden("entry")

  private static let onTapGoBackButton = Form<DeveloperAction>(
    "goBack", .repeatable, fields: Self.number
  ) {
    .ui(.onTapGoBackButton(entry: $0))
  }

  private static let slots: Slots<Entry> = [
    .actionName("name") { $0.name },
    .text("product") { $0.product },
    .text("version") { "\($0.dispatch.version)" },
    .text("time") { $0.time.clock },
    .text("duration") { $0.dispatch.duration.words },
    .text("origin") { $0.dispatch.origin?.text ?? "" },
    .text("window") { $0.window ?? "" },
    .link("onlyAction", DeveloperLog.Local.self) { $0.action = $1.name },
    .link("onlyWindow", DeveloperLog.Local.self) { $0.window = $1.window },
    .text("refusal") { $0.refusal?.inOneLine ?? "" },
    .each("parts", Self.part) { $0.parts(limit: Self.partLimit) },
    .text("json") { $0.json ?? "" },
    .nested("difference", Self.difference) { StateDifference(from: $0.oldState, to: $0.state) },
    .link("state", to: DeveloperStates.page()) { local, entry in
      local.product = entry.product
      local.at = entry.id
    },
    .link("changesSince", to: DeveloperStates.page()) { local, entry in
      local.product = entry.product
      local.since = entry.id
    },
  ]

  private static let page: Slots<DeveloperState.EntryPage> = [
    .text("url") { $0.url },
    .link("causes", to: DeveloperTime.page()) { local, page in
      local.url = page.url
      local.at = page.entry
      local.seen = page.seen
    },
  ]

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
  /// The window that posted the form.
  fileprivate var window: String? { self.dispatch.origin?.window }

  /// The payload of the action, by path. The cases of the action are in its name.
  fileprivate func parts(limit: Int) -> [Part] {
    var parts: [Part] = []
    func add(_ value: Any, at path: Path) {
      guard parts.count < limit else { return }
      let inspection = Inspection(value)
      if path.labels.isEmpty == false {
        parts.append(Part(label: path.description.inOneLine, summary: inspection.summary))
      }
      guard path.labels.count < 8 else { return }
      for part in inspection.parts(0..<20) { add(part.value, at: path.appending(part.label)) }
    }
    add(ActionName(self.dispatch.action).value, at: Path())
    return parts
  }

  struct Part: Sendable {
    let label: String
    let summary: String
  }
}
