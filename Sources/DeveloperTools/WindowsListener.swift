import ImmutableData
import ImmutableRuntime
import Logging

/// Looks at the windows while somebody looks at their page, and does what developers do to networks.
@MainActor final class WindowsListener: EffectListener<DeveloperState, DeveloperAction> {
  /// What there is to see.
  private struct Sight: Sendable {
    let windows: [ShownWindow]
    let slowed: [SlowedBrowser]

    init(of group: WeakGroup) async {
      self.windows = await group.windows?.connectedWindows() ?? []
      self.slowed = group.windows?.slowedBrowsers ?? []
    }

    var action: DeveloperAction { .recorder(.didSeeWindows(self.windows, slowed: self.slowed)) }

    /// Whether it differs from what is known, but for how much was sent to whoever is told of it: else
    /// telling would always be news.
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
  ///   - logger: Is told of each change of a network; `nil` if there can be none.
  init(_ group: WeakGroup, logger: Logger?) {
    self.group = group
    self.logger = logger
    let look = OutsideEvents<DeveloperState, DeveloperAction>("developer.windows") { following in
      while Task.isCancelled == false {
        let watchers = await group.windows?.shownWindows(of: DeveloperState.name)
          .filter { $0.url.hasPrefix(DeveloperWindows.path) }
        if let watchers, watchers.isEmpty == false {
          let sight = await Sight(of: group)
          if sight.isNews(to: await following.store.state, except: watchers) {
            try await following.store.dispatch(action: sight.action)
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
    }
    super.init(lanes: EffectLanes(), label: "DeveloperTools.WindowsListener", outside: [look])
  }

  override func effects(
    _ oldState: DeveloperState,
    _ state: DeveloperState,
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
          "A developer makes a browser's network worse",
          ["browser": "\(browser)", "conditions": "\(conditions.words)"]
        ) {
          _ = $0.setNetwork(conditions, ofBrowser: browser)
        }
      ]
    case .ui(.onTapBackToNormalButton(let browser)):
      [
        self.effect("A developer lets a browser's network be", ["browser": "\(browser)"]) {
          _ = $0.setNetwork(nil, ofBrowser: browser)
        }
      ]
    case .ui, .recorder: []
    }
  }

  /// Does something to the windows, then looks at them.
  private func effect(
    _ message: Logger.Message? = nil,
    _ metadata: Logger.Metadata = [:],
    _ body: @escaping @Sendable (WindowGroup) -> Void
  ) -> Effect {
    Effect("developer.windows", lane: "developer.windows") { [group, logger] dispatcher, _ in
      if let message { logger?.notice(message, metadata: metadata) }
      if let windows = group.windows { body(windows) }
      try await dispatcher.dispatch(action: await Sight(of: group).action)
    }
  }
}
