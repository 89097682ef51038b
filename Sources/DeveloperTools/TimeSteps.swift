import HTMLTemplates
import ImmutableData
import ImmutableUI

/// The actions around one, and the page as it was after it.
struct TimeSteps: Presenter, Hashable {
  private static let limit = 12

  @Selected<DeveloperState.History> private var history: DeveloperState.History
  private let url: String
  private let id: Int?
  private let environment: PageTime
  private let region: String?

  init(url: String, id: Int?, in environment: PageTime, region: String?) {
    self._history = Selected(
      id: [url, id?.description],
      outputSelector: { $0.history(ofPage: url, around: id, limit: Self.limit) })
    self.url = url
    self.id = id
    self.environment = environment
    self.region = region
  }

  private var entries: [Entry] { self.history.entries }

  /// The entry that the page shows; `nil` for the present, if no entry led to it.
  private var current: Int? {
    guard self.history.present == nil, self.history.isRecorded else { return nil }
    guard let id else { return self.entries.last?.id }
    return self.entries.last { $0.id <= id }?.id ?? id
  }

  private func entry(_ distance: Int) -> Int? {
    guard let index = self.entries.firstIndex(where: { $0.id == self.current }) else { return nil }
    let target = index + distance
    return self.entries.indices.contains(target) ? self.entries[target].id : nil
  }

  /// The past page, as the only row of a list. Another page is another row, because a frame that
  /// navigates adds to the history, and *Back* would go through that.
  private var pages: [PastPage] {
    self.history.isRecorded ? [PastPage(id: self.source)] : []
  }

  /// The URL of the past page.
  private var source: String {
    let items = [
      QueryItem(name: "url", value: self.url),
      QueryItem(name: "at", value: self.current.map { "\($0)" } ?? ""),
      QueryItem(name: "seen", value: self.environment.description),
    ]
    let region = self.region.map { [QueryItem(name: "region", value: $0)] } ?? []
    // Another version is another page.
    let version = self.history.present.map { [QueryItem(name: "version", value: "\($0)")] } ?? []
    return "\(Developer.pastPath)?\(Query(items + region + version).text)"
  }

  /// `nil` if there is nothing to choose from.
  private var slider: Slider? {
    guard self.history.marks.count > 1 else { return nil }
    let current = self.entries.first { $0.id == self.current }
    return Slider(
      marks: self.history.marks,
      words: current.map { "Version \($0.dispatch.version), \($0.name)" }
    )
  }

  private var steps: [Step] {
    let current = self.current
    return self.entries.map { Step(entry: $0, isCurrent: $0.id == current) }
  }

  static let template = Template<Self>([
    .flag("isUnknown") { $0.history.product == nil },
    .text("url") { $0.url },
    .rows("pages", Self.page) { $0.pages },
    .flag("isRecorded") { $0.history.isRecorded },
    .flag("isEmpty") { $0.entries.isEmpty },
    .optional("slider", Self.slider) { $0.slider },
    .optional("earlier", Self.move) { $0.entry(-1) },
    .optional("later", Self.move) { $0.entry(1) },
    .link("newest", DeveloperTime.Local.self) { local, _ in local.at = nil },
    .flag("isNewest") { $0.id == nil },
    .each("entries", Self.step) { $0.steps },
  ])

  private static let slider: Slots<Slider> = [
    .localForm("sliderForm", DeveloperTime.Local.self),
    .field("at", DeveloperTime.Local.atField) { $0.marks.last },
    .text("first") { $0.marks.first ?? 0 },
    .text("last") { $0.marks.last ?? 0 },
    .optionalText("words") { $0.words },
    .each("marks", [.text("mark") { $0 }]) { $0.marks },
  ]

  private static let page: Slots<PastPage> = [
    .text("source") { $0.id }
  ]

  private static let move: Slots<Int> = [
    .link("open", DeveloperTime.Local.self) { $0.at = $1 }
  ]

  private static let step: Slots<Step> = [
    .text("version") { "\($0.entry.dispatch.version)" },
    .actionName("action") { $0.entry.name },
    .text("time") { $0.entry.time.clock },
    .flag("isRefused") { $0.entry.refusal != nil },
    .flag("isCurrent") { $0.isCurrent },
    .link("open", DeveloperTime.Local.self) { $0.at = $1.entry.id },
  ]

  private struct PastPage: Identifiable, Hashable, Sendable {
    /// Its URL.
    let id: String
  }

  /// The entries of the slider.
  private struct Slider: Sendable {
    let marks: [Int]
    /// What it is at.
    let words: String?
  }

  private struct Step: Sendable {
    let entry: Entry
    let isCurrent: Bool
  }
}
