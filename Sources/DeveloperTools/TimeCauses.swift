import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// What an action did to a page, region by region and selector by selector, and what it did not.
struct TimeCauses: Presenter, Hashable {
  @SelectCauses private var causes: DeveloperState.Causes?

  init(url: String, id: Int?) {
    self._causes = SelectCauses(of: url, upTo: id)
  }

  static let template = Template<Self>([
    .optional("causes", Self.slots) { $0.causes }
  ])

  private static let slots: Slots<DeveloperState.Causes> = [
    .text("name") { $0.entry.name },
    .flag("isRefused") { $0.entry.refusal != nil },
    .text("summary") { $0.summary },
    .link("entry", to: DeveloperLog.page()) { $0.entry = $1.entry.id },
    .each("regions", Self.region) { $0.sortedRegions },
  ]

  private static let region: Slots<RegionCause> = [
    .text("name") { $0.name },
    .text("component") { $0.component },
    .flag("isChanged") { $0.change != .none },
    .text("words") { $0.words },
    .flag("hasSelectors") { $0.selectors.isEmpty == false },
    .each("selectors", Self.selector) { $0.selectors },
  ]

  private static let selector: Slots<SelectorCause> = [
    .text("label") { $0.label ?? "a selector without a label" },
    .text("position") { $0.position },
    .text("outcome") { $0.outcome.words },
    .flag("isChanged") { $0.outcome == .changed },
  ]
}

extension DeveloperState.Causes {
  /// Those that have changed first.
  fileprivate var sortedRegions: [RegionCause] {
    self.regions.filter { $0.change != .none } + self.regions.filter { $0.change == .none }
  }

  fileprivate var summary: String {
    let rendered = self.regions.count { $0.duration != nil }
    let changed = self.regions.count { $0.change != .none }
    return
      "Of \(self.regions.count) regions \(rendered) were rendered again, and \(changed) changed."
  }
}

extension RegionCause {
  fileprivate var words: String {
    let change =
      switch self.change {
      case .appeared: "was not there before"
      case .changed: "shows something else"
      case .disappeared: "is gone"
      case .none: "shows the same"
      }
    let cost = self.duration.map { "rendered in \($0.inMicroseconds), " } ?? ""
    return "\(cost)\(self.bytes) bytes, \(change)"
  }
}

extension SelectorCause.Outcome {
  fileprivate var words: String {
    switch self {
    case .refused: "did not run: its filter refused the action, or its table is the same"
    case .sameDependencies: "did not run: what it depends on is the same"
    case .sameOutput: "ran, with the same output"
    case .changed: "has another output"
    }
  }
}
