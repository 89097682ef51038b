import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// One browser: its windows, and its simulated network.
struct BrowserDetail: Presenter, Hashable {
  @Selected<DeveloperState.Browser?> private var browser: DeveloperState.Browser?
  @Selected(outputSelector: \.canDispatch) private var canDispatch: Bool

  private let title: String

  /// - Parameter name: The name of the browser.
  init(_ name: String) {
    self.title = name
    self._browser = Selected(id: name, outputSelector: { $0.browser(name) })
  }

  static let template = Template<Self>([
    .text("title") { $0.title },
    .link("close", DeveloperWindows.Local.self) { local, _ in local.browser = nil },
    .optional("browser", Self.slots) { $0.browser },
    .flag("canDispatch") { $0.canDispatch },
    .optional("controls", Self.controls) { $0.canDispatch ? $0.browser : nil },
  ])

  private static let slots: Slots<DeveloperState.Browser> = [
    .text("name") { $0.name },
    .text("count") { $0.windows.count.counting("window", "windows") },
    .text("connection") { $0.windows.first?.connection?.words ?? "not connected" },
    .text("network") { $0.conditions?.words ?? "as it is" },
  ]

  private static let controls: Slots<DeveloperState.Browser> = [
    .form("cutOff", Self.onTapCutOffButton) { ["data-key": "cutOff \($0.name)"] },
    .form("slowDown", Self.onTapSlowDownButton) { ["data-key": "slowDown \($0.name)"] },
    .form("normal", Self.onTapBackToNormalButton) { ["data-key": "normal \($0.name)"] },
    .field("name", Self.name) { $0.name },
    .field("latency", Self.latency) { $0.conditions?.latency ?? 500 },
    .field("loss", Self.loss) { $0.conditions?.loss ?? 0 },
    .field("seed", Self.seed) { $0.conditions?.seed ?? 1 },
    .field("isOffline", Self.isOffline) { $0.conditions?.isOffline ?? false },
    .flag("isSlowed") { $0.conditions != nil },
  ]

  private static let name = Field<String>.hidden("browser")
  private static let latency = Self.number("latency", in: NetworkConditions.latencies)
  private static let loss = Self.number("loss", in: NetworkConditions.losses)
  private static let seed = Self.number("seed", in: NetworkConditions.seeds)
  private static let isOffline = Field.checkbox("offline")

  private static func number(_ name: String, in range: ClosedRange<Int>) -> Field<Int> {
    .number(name, "Enter a number from \(range.lowerBound) to \(range.upperBound).", in: range)
  }

  private static let onTapCutOffButton = Form<DeveloperAction>(
    "cutOff", .repeatable, fields: Self.name
  ) {
    .ui(.onTapCutOffButton(browser: $0))
  }

  private static let onTapSlowDownButton = Form<DeveloperAction>(
    "slowDown", .repeatable, fields: Self.name, Self.latency, Self.loss, Self.seed, Self.isOffline
  ) { browser, latency, loss, seed, isOffline in
    .ui(
      .onTapSlowDownButton(
        browser: browser,
        NetworkConditions(latency: latency, loss: loss, seed: seed, isOffline: isOffline)))
  }

  private static let onTapBackToNormalButton = Form<DeveloperAction>(
    "normal", .repeatable, fields: Self.name
  ) {
    .ui(.onTapBackToNormalButton(browser: $0))
  }
}
