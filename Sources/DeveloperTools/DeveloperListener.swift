import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging

/// Does what developers ask for: dispatches actions by hand, puts everything back, and simulates
/// networks. It also checks the windows while somebody views their page.
@MainActor final class DeveloperListener: EffectListener<DeveloperState, DeveloperAction> {
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
  private let show: @MainActor @Sendable ((any Sendable)?) -> Void

  /// - Parameters:
  ///   - group: The windows.
  ///   - lanes: The lanes of its effects.
  ///   - logger: Receives a message for everything that visitors notice; `nil` if developers can do
  ///     nothing of that kind.
  ///   - show: Shows a state of the store of all products; `nil` for its own.
  ///   - watch: Called each second with whether a window shows a developer page.
  init(
    _ group: WeakGroup,
    lanes: EffectLanes,
    logger: Logger?,
    show: @escaping @MainActor @Sendable ((any Sendable)?) -> Void,
    watch: @escaping @MainActor @Sendable (Bool) -> Void
  ) {
    self.group = group
    self.logger = logger
    self.show = show
    // A change of a network waits for a look that has begun, and the other way around. Otherwise a
    // look from before the change could arrive after the one from behind it.
    let look = Self.look(at: group)
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
    super.init(lanes: lanes, label: "DeveloperTools.DeveloperListener", outside: [watching])
  }

  override func effects(
    _ oldState: DeveloperState,
    _ newState: () -> DeveloperState,
    _ action: DeveloperAction
  ) -> [Effect] {
    switch action {
    case .ui(.onTapDispatchButton(let id, let product, let json)):
      return [self.dispatch(json, to: product, id, in: newState())]
    case .ui(.onTapGoBackButton):
      guard let entry = newState().past, let whole = entry.whole else { return [] }
      return [
        self.effect(
          showing: whole.newState, "A developer puts everything back",
          ["after": "\(entry.name)", "version": "\(entry.dispatch.version)"])
      ]
    case .ui(.onTapBackToNowButton):
      return [self.effect(showing: nil, "A developer goes back to now")]
    case .ui(.onAppearWindows), .ui(.onTapRefreshWindowsButton):
      return [Self.look(at: self.group)]
    case .ui(.onTapCutOffButton(let browser)):
      return [
        self.change("A developer cuts a browser off", ["browser": "\(browser)"]) {
          _ = $0.cutOff(browser: browser)
        }
      ]
    case .ui(.onTapSlowDownButton(let browser, let conditions)):
      return [
        self.change(
          "A developer simulates a network for a browser",
          ["browser": "\(browser)", "conditions": "\(conditions.words)"]
        ) {
          _ = $0.setNetwork(conditions, ofBrowser: browser)
        }
      ]
    case .ui(.onTapBackToNormalButton(let browser)):
      return [
        self.change("A developer restores a browser's network", ["browser": "\(browser)"]) {
          _ = $0.setNetwork(nil, ofBrowser: browser)
        }
      ]
    case .ui, .recorder: return []
    }
  }

  /// Dispatches an action that a developer has entered.
  private func dispatch(
    _ json: String,
    to product: String,
    _ id: String,
    in state: DeveloperState
  ) -> Effect {
    Effect("developer.dispatch", lane: "developer.dispatch") { [logger] dispatcher, _ in
      var error: String?
      do {
        let action = try state.action(of: product, json: json)
        logger?.notice(
          "A developer dispatches an action by hand",
          metadata: ["product": "\(product)", "action": "\(ActionName(action.action).cases)"])
        try await ActionOrigin.$current.withValue(.outside(name: "a developer, by hand")) {
          try await action.dispatch()
        }
      } catch let refused {
        let refusal = (refused as? any RefusalConvertible)?.refusal
        error = "\(product) refused it: \(refusal?.message ?? "\(refused)")"
      }
      try await dispatcher.dispatch(action: .recorder(.didDispatch(id: id, error: error)))
    }
  }

  /// Shows a state to all visitors; `nil` for the present.
  private func effect(
    showing state: (any Sendable)?,
    _ message: Logger.Message,
    _ metadata: Logger.Metadata = [:]
  ) -> Effect {
    Effect("developer.past", lane: "developer.past") { [logger, show] _, _ in
      logger?.notice(message, metadata: metadata)
      await show(state)
    }
  }

  /// Makes a change, then checks the windows.
  private func change(
    _ message: Logger.Message,
    _ metadata: Logger.Metadata,
    _ body: @escaping @Sendable (WindowGroup) -> Void
  ) -> Effect {
    Self.look(at: self.group) { [logger] windows in
      logger?.notice(message, metadata: metadata)
      body(windows)
    }
  }

  /// Checks the windows.
  private static func look(
    at group: WeakGroup,
    after body: @escaping @Sendable (WindowGroup) -> Void = { _ in }
  ) -> Effect {
    Effect("developer.windows", lane: "developer.windows") { dispatcher, _ in
      if let windows = group.windows { body(windows) }
      try await dispatcher.dispatch(action: await Sight(of: group).action)
    }
  }
}
