import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging

/// Dispatches the actions that developers enter by hand, one after another.
@MainActor final class DispatchListener: EffectListener<DeveloperState, DeveloperAction> {
  private let logger: Logger

  /// - Parameters:
  ///   - lanes: The lanes of its effects.
  ///   - logger: Receives a message for each dispatch.
  init(lanes: EffectLanes, logger: Logger) {
    self.logger = logger
    super.init(lanes: lanes, label: "DeveloperTools.DispatchListener")
  }

  override func effects(
    _ oldState: DeveloperState,
    _ newState: () -> DeveloperState,
    _ action: DeveloperAction
  ) -> [Effect] {
    guard case .ui(.onTapDispatchButton(let id, let product, let json)) = action else { return [] }
    let state = newState()
    return [
      Effect("developer.dispatch", lane: "developer.dispatch") { [logger] dispatcher, _ in
        let error = await Self.dispatch(json, to: product, in: state, logger)
        try await dispatcher.dispatch(action: .recorder(.didDispatch(id: id, error: error)))
      }
    ]
  }

  /// - Returns: Why it was refused; `nil` if it was accepted.
  private static func dispatch(
    _ json: String,
    to product: String,
    in state: DeveloperState,
    _ logger: Logger
  ) async -> String? {
    do {
      let action = try state.action(of: product, json: json)
      logger.notice(
        "A developer dispatches an action by hand",
        metadata: ["product": "\(product)", "action": "\(ActionName(action.action).cases)"])
      try await ActionOrigin.$current.withValue(.outside(name: "a developer, by hand")) {
        try await action.dispatch()
      }
      return nil
    } catch {
      let refusal = (error as? any RefusalConvertible)?.refusal
      return "\(product) refused it: \(refusal?.message ?? "\(error)")"
    }
  }
}
