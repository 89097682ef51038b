import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// A region of a page: its template, the origin of its content, and how long that took.
struct TimeRegion: Presenter, Hashable {
  @ImmutableUI.Selector<DeveloperState.Store, DeveloperState.Moment, RegionOrigin?>
  private var origin: RegionOrigin?
  private let region: String

  init(url: String, id: Int?, in environment: PageTime, region: String) {
    self._origin = ImmutableUI.Selector(
      id: [region, url, id?.description, environment.description],
      dependencySelector: DeveloperState.selectMoment(of: url, upTo: id),
      outputSelector: { $0.origin(of: region, at: url, upTo: id, in: environment) })
    self.region = region
  }

  static let template = Template<Self>([
    .text("name") { $0.region },
    .link("close", DeveloperTime.Local.self) { local, _ in local.region = nil },
    .optional("origin", Self.slots) { $0.origin },
  ])

  private static let slots: Slots<RegionOrigin> = [
    .flag("isThere") { $0.isThere },
    .optional("entry", Self.entry) { $0.entry },
    .optional("beginning", Self.entry) { $0.beginning == $0.entry ? nil : $0.beginning },
    .flag("isSearched") { $0.searched > 0 },
    .text("searched") { "\($0.searched)" },
    .optional("cause", Self.cause) { $0.cause },
  ]

  private static let entry: Slots<Entry> = [
    .actionName("action") { $0.name },
    .text("origin") { $0.dispatch.origin?.text ?? "" },
    .text("duration") { $0.dispatch.duration.words },
    .link("log", to: DeveloperLog.page()) { $0.entry = $1.id },
    .link("then", DeveloperTime.Local.self) { $0.at = $1.id },
  ]

  private static let cause: Slots<RegionCause> = [
    .text("component") { $0.component },
    .optionalText("template") { $0.template },
    .text("words") { $0.words },
    .flag("hasSelectors") { $0.selectors.isEmpty == false },
    .each("selectors", SelectorCause.slots) { $0.selectors },
  ]
}
