import ImmutableData
import ImmutableRuntime
import Logging

/// Puts everything back to an action, for all visitors.
@MainActor final class PastListener: EffectListener<DeveloperState, DeveloperAction> {
  private let logger: Logger
  private let show: @MainActor @Sendable ((any Sendable)?) -> Void

  /// - Parameters:
  ///   - lanes: The lanes of its effects.
  ///   - logger: Receives a message each time.
  ///   - show: Shows a state of the store of all products; `nil` for its own.
  init(
    lanes: EffectLanes,
    logger: Logger,
    show: @escaping @MainActor @Sendable ((any Sendable)?) -> Void
  ) {
    self.logger = logger
    self.show = show
    super.init(lanes: lanes, label: "DeveloperTools.PastListener")
  }

  override func effects(
    _ oldState: DeveloperState,
    _ newState: () -> DeveloperState,
    _ action: DeveloperAction
  ) -> [Effect] {
    switch action {
    case .ui(.onTapGoBackButton):
      guard let entry = newState().past, let whole = entry.whole else { return [] }
      return [
        self.effect(
          "A developer puts everything back",
          ["after": "\(entry.name)", "version": "\(entry.dispatch.version)"], whole.newState)
      ]
    case .ui(.onTapBackToNowButton):
      return [self.effect("A developer goes back to now", [:], nil)]
    case .ui, .recorder:
      return []
    }
  }

  private func effect(
    _ message: Logger.Message,
    _ metadata: Logger.Metadata,
    _ state: (any Sendable)?
  ) -> Effect {
    Effect("developer.past", lane: "developer.past") { [logger, show] _, _ in
      logger.notice(message, metadata: metadata)
      await show(state)
    }
  }
}
