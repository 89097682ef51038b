import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// The browsers with a simulated network, even while they are not connected.
struct SlowedBrowsers: Presenter, Hashable {
  @Selected(outputSelector: \.slowed) private var slowed: [SlowedBrowser]

  static let template = Template<Self>([
    .flag("isEmpty") { $0.slowed.isEmpty },
    .text("minutes") { _ in "\(Int(Networks.duration / .seconds(60)))" },
    .rows("slowed", Self.row) { $0.slowed },
  ])

  private static let row: Slots<SlowedBrowser> = [
    .text("name") { $0.id },
    .text("words") { $0.conditions.words },
    .link("open", DeveloperWindows.Local.self) { $0.browser = $1.id },
  ]
}
