import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// Dispatches an action by hand. The page exists only if the program enables it (``Developer``).
struct DeveloperDispatch: DeveloperPage {
  static let path = "/developer/dispatch"
  static let label = "Dispatch"

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .dispatch) },
    .region("form") { DispatchForm(example: $0.local.example) },
    .region("examples") { DispatchExamples(example: $0.local.example) },
  ])

  static func status(of action: DeveloperAction, in state: State) -> OperationStatus? {
    guard case .ui(.onTapDispatchButton(let id, _, _)) = action else { return nil }
    return state.dispatches[id]
  }

  static func toast(for action: DeveloperAction, in state: State) -> Toast<State>? {
    guard case .ui(.onTapDispatchButton(_, let product, let json)) = action,
      let decoded = try? state.action(of: product, json: json)
    else { return nil }
    return Toast("\(ActionName(decoded.action).cases) was dispatched.")
  }
}

extension DeveloperDispatch {
  struct Local: LocalState {
    /// The number of the entry whose action the form starts with.
    var example: Int?

    static let parameters: [Parameter<Self>] = [Parameter("example", \.example)]
  }
}
