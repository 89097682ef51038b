import CounterData
import ImmutableUI

/// The state of all products.
struct AppState: Sendable {
  var counter = CounterState()
}

/// What can happen in any product.
enum AppAction: Sendable {
  case counter(CounterAction)
}

/// Hands each action to the reducer of its product.
enum AppReducer {
  @Sendable static func reduce(state: AppState, action: AppAction) throws -> AppState {
    var state = state
    switch action {
    case .counter(let action):
      state.counter = try CounterReducer.reduceOrRefuse(state: state.counter, action: action)
    }
    return state
  }
}

extension AppState: StoreState {
  typealias Action = AppAction
}
