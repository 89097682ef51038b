import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// The effect of an action on a page, region by region and selector by selector, including those
/// that did not change.
struct TimeCauses: Presenter, Hashable {
  @ImmutableUI.Selector<DeveloperState.Store, Entry?, DeveloperState.Causes?>
  private var causes: DeveloperState.Causes?
  private let region: String?

  /// - Parameter region: The name of the region that is inspected.
  init(url: String, id: Int?, in environment: PageTime, region: String?) {
    self._causes = ImmutableUI.Selector(
      id: [url, id?.description, environment.description],
      dependencySelector: DeveloperState.selectEntry(of: url, upTo: id),
      outputSelector: { $0.causes(of: url, upTo: id, in: environment) })
    self.region = region
  }

  private var regions: [Region] {
    (self.causes?.sortedRegions ?? []).map { Region(cause: $0, isCurrent: $0.name == self.region) }
  }

  static let template = Template<Self>([
    .optional("causes", Self.slots) { $0.causes },
    .each("regions", Self.row) { $0.regions },
  ])

  private static let slots: Slots<DeveloperState.Causes> = [
    .actionName("name") { $0.entry.name },
    .flag("isRefused") { $0.entry.refusal != nil },
    .text("summary") { $0.summary },
    .link("entry", to: DeveloperLog.page()) { $0.entry = $1.entry.id },
  ]

  private static let row: Slots<Region> = [
    .text("name") { $0.cause.name },
    .text("component") { $0.cause.component },
    .flag("isChanged") { $0.cause.change != .none },
    .flag("isCurrent") { $0.isCurrent },
    .text("words") { $0.cause.words },
    .flag("hasSelectors") { $0.cause.selectors.isEmpty == false },
    .each("selectors", SelectorCause.slots) { $0.cause.selectors },
    .link(
      "inspect",
      DeveloperTime.Local.self,
      scrollingTo: { _ in "region" },
      change: { $0.region = $1.cause.name }
    ),
  ]

  private struct Region: Sendable {
    let cause: RegionCause
    let isCurrent: Bool
  }
}

extension DeveloperState.Causes {
  /// Changed regions come first.
  fileprivate var sortedRegions: [RegionCause] {
    self.regions.filter { $0.change != .none } + self.regions.filter { $0.change == .none }
  }

  fileprivate var summary: String {
    let all = self.regions.count
    let rendered = self.regions.count { $0.duration != nil }
    let changed = self.regions.count { $0.change != .none }
    guard rendered + changed > 0 else { return "Nothing was rendered again, and nothing changed." }
    let which =
      switch rendered {
      case 0: "No region was"
      case all: all == 1 ? "The only region was" : "All \(all) regions were"
      default: "\(rendered) of the \(all) regions \(rendered == 1 ? "was" : "were")"
      }
    let what =
      switch changed {
      case 0: "but nothing changed"
      case 1: "and one changed"
      default: "and \(changed) changed"
      }
    return "\(which) rendered again, \(what)."
  }
}
