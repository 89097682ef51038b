import AnimalsData
import CounterData
import ImmutableUI

/// The state of all products.
struct AppState: Sendable {
  var counter = CounterState()
  var animals = AnimalsState()
}

/// What can happen in any product.
enum AppAction: Sendable {
  case counter(CounterAction)
  case animals(AnimalsAction)
}

/// Hands each action to the reducer of its product.
enum AppReducer {
  @Sendable static func reduce(state: AppState, action: AppAction) throws -> AppState {
    var state = state
    switch action {
    case .counter(let action):
      state.counter = try CounterReducer.reduceOrRefuse(state: state.counter, action: action)
    case .animals(let action):
      state.animals = try AnimalsReducer.reduceOrRefuse(state: state.animals, action: action)
    }
    return state
  }
}

extension AppState: StoreState {
  typealias Action = AppAction
}
