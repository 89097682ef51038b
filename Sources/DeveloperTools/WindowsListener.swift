import ImmutableData
import ImmutableRuntime

/// Looks at the windows while somebody looks at their page.
@MainActor final class WindowsListener: EffectListener<DeveloperState, DeveloperAction> {
  private let windows: @Sendable () async -> [ShownWindow]

  /// - Parameters:
  ///   - windows: Looks at all windows.
  ///   - watchers: Looks at the windows that show developer pages, which are few.
  init(
    windows: @escaping @Sendable () async -> [ShownWindow],
    watchers: @escaping @Sendable () async -> [ShownWindow]
  ) {
    self.windows = windows
    let look = OutsideEvents<DeveloperState, DeveloperAction>("developer.windows") { following in
      while Task.isCancelled == false {
        if await watchers().contains(where: { $0.url.hasPrefix(DeveloperWindows.path) }) {
          let seen = await windows()
          if await following.store.state.windows != seen {
            try await following.store.dispatch(action: .recorder(.didSeeWindows(seen)))
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
    guard case .ui(.onTapRefreshWindowsButton) = action else { return [] }
    return [
      Effect("developer.windows", lane: "developer.windows") { [windows] dispatcher, _ in
        try await dispatcher.dispatch(action: .recorder(.didSeeWindows(await windows())))
      }
    ]
  }
}
