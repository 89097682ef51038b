import AnimalsData
import CounterData
import ImmutableUI
import QuakesData

/// The state of all products.
struct AppState: Sendable {
  var counter = CounterState()
  var animals = AnimalsState()
  var quakes = QuakesState()
}

/// What can happen in any product.
enum AppAction: Sendable {
  case counter(CounterAction)
  case animals(AnimalsAction)
  case quakes(QuakesAction)
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
    case .quakes(let action):
      state.quakes = try QuakesReducer.reduce(state: state.quakes, action: action)
    }
    return state
  }
}

extension AppState: StoreState {
  typealias Action = AppAction
}
