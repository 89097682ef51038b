import HTMLTemplates
import ImmutableData
import ImmutableUI

/// Says that everything is put back, with a button that returns to now.
struct PastBanner: Presenter, Hashable {
  @Selected(outputSelector: \.shownPast) private var past: DeveloperState.Past?

  static let template = Template<Self>([
    .optional("past", Self.slots) { $0.past }
  ])

  private static let slots: Slots<DeveloperState.Past> = [
    .actionName("name") { $0.entry.name },
    .text("version") { "\($0.entry.dispatch.version)" },
    .text("time") { $0.entry.time.clock },
    .form("backToNow", Self.onTapBackToNowButton),
    .flag("hasEffects") { $0.effects.isEmpty == false },
    .text("count") { "\($0.effects.count)" },
    .flag("isCut") { $0.effects.count == DeveloperState.effectLimit },
    .each("effects", Self.effect) { $0.effects },
  ]

  private static let effect: Slots<Entry> = [
    .text("effect") { $0.dispatch.origin?.effect ?? "" },
    .actionName("name") { $0.name },
  ]

  private static let onTapBackToNowButton = Form<DeveloperAction>("backToNow", .repeatable) {
    .ui(.onTapBackToNowButton)
  }
}
