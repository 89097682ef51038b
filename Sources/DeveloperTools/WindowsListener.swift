import ImmutableData
import ImmutableRuntime
import Logging

/// Checks the windows while somebody views their page, and simulates networks for developers.
@MainActor final class WindowsListener: EffectListener<DeveloperState, DeveloperAction> {
  /// The windows and the browsers with a simulated network.
  private struct Sight: Sendable {
    let windows: [ShownWindow]
    let slowed: [SlowedBrowser]

    init(of group: WeakGroup) async {
      self.windows = await group.windows?.connectedWindows() ?? []
      self.slowed = group.windows?.slowedBrowsers ?? []
    }

    var action: DeveloperAction { .recorder(.didSeeWindows(self.windows, slowed: self.slowed)) }

    /// Whether it differs from the known state. It ignores the bytes that were sent to the viewers
    /// of this page, because otherwise each update would cause another one.
    func isNews(to state: DeveloperState, except watchers: [ShownWindow]) -> Bool {
      let streams = Set(watchers.map(\.stream))
      func compared(_ windows: [ShownWindow]) -> [ShownWindow] {
        windows.map { window in
          var window = window
          if streams.contains(window.stream) { window.connection?.sentBytes = nil }
          return window
        }
      }
      return self.slowed != state.slowed || compared(self.windows) != compared(state.windows)
    }
  }

  private let group: WeakGroup
  private let logger: Logger?

  /// - Parameters:
  ///   - group: The windows.
  ///   - lanes: The lanes of its effects.
  ///   - logger: Receives a message for each change of a network; `nil` if networks cannot be
  ///     simulated.
  ///   - watch: Called each second with whether a window shows a developer page.
  init(
    _ group: WeakGroup,
    lanes: EffectLanes,
    logger: Logger?,
    watch: @escaping @MainActor @Sendable (Bool) -> Void
  ) {
    self.group = group
    self.logger = logger
    // A change of a network waits for a look that has begun, and the other way around. Otherwise a
    // look from before the change could arrive after the one from behind it.
    let look = Self.effect(group)
    let watching = OutsideEvents<DeveloperState, DeveloperAction>("developer.windows") {
      following in
      while Task.isCancelled == false {
        let shown = await group.windows?.shownWindows(of: DeveloperState.name) ?? []
        await watch(shown.isEmpty == false)
        let watchers = shown.filter { $0.url.hasPrefix(DeveloperWindows.path) }
        if watchers.isEmpty == false {
          let sight = await Sight(of: group)
          try await following.perform { sight.isNews(to: $0, except: watchers) ? look : nil }
        }
        try await Task.sleep(for: .seconds(1))
      }
    }
    super.init(lanes: lanes, label: "DeveloperTools.WindowsListener", outside: [watching])
  }

  override func effects(
    _ oldState: DeveloperState,
    _ newState: () -> DeveloperState,
    _ action: DeveloperAction
  ) -> [Effect] {
    switch action {
    case .ui(.onTapRefreshWindowsButton):
      [self.effect { _ in }]
    case .ui(.onTapCutOffButton(let browser)):
      [
        self.effect("A developer cuts a browser off", ["browser": "\(browser)"]) {
          _ = $0.cutOff(browser: browser)
        }
      ]
    case .ui(.onTapSlowDownButton(let browser, let conditions)):
      [
        self.effect(
          "A developer simulates a network for a browser",
          ["browser": "\(browser)", "conditions": "\(conditions.words)"]
        ) {
          _ = $0.setNetwork(conditions, ofBrowser: browser)
        }
      ]
    case .ui(.onTapBackToNormalButton(let browser)):
      [
        self.effect("A developer restores a browser's network", ["browser": "\(browser)"]) {
          _ = $0.setNetwork(nil, ofBrowser: browser)
        }
      ]
    case .ui, .recorder: []
    }
  }

  /// Makes a change, then checks the windows.
  private func effect(
    _ message: Logger.Message? = nil,
    _ metadata: Logger.Metadata = [:],
    _ body: @escaping @Sendable (WindowGroup) -> Void
  ) -> Effect {
    Self.effect(self.group) { [logger] windows in
      if let message { logger?.notice(message, metadata: metadata) }
      body(windows)
    }
  }

  private static func effect(
    _ group: WeakGroup,
    _ body: @escaping @Sendable (WindowGroup) -> Void = { _ in }
  ) -> Effect {
    Effect("developer.windows", lane: "developer.windows") { dispatcher, _ in
      if let windows = group.windows { body(windows) }
      try await dispatcher.dispatch(action: await Sight(of: group).action)
    }
  }
}
