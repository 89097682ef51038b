import AnimalsData
import CounterData
import DeveloperTools
import ImmutableData
import ImmutableUI
import QuakesData

/// The state of all products.
struct AppState: Codable, Sendable {
  var counter = CounterState()
  var animals = AnimalsState()
  var quakes = QuakesState()
}

extension AppState {
  /// Upcasters for recordings and snapshots of older releases. So far, actions and states were only
  /// extended.
  static let upcasters: [Upcaster] = []
  /// How snapshots store the state.
  static let coding = StateCoding(upcasters: Self.upcasters)
}

/// The actions of all products.
enum AppAction: Codable, Sendable {
  case counter(CounterAction)
  case animals(AnimalsAction)
  case quakes(QuakesAction)
}

/// The cursors from the whole to each product.
enum AppCursor {
  static let counter = Cursor(state: \AppState.counter, action: AppAction.counter) {
    if case .counter(let action) = $0 { action } else { nil }
  }
  static let animals = Cursor(state: \AppState.animals, action: AppAction.animals) {
    if case .animals(let action) = $0 { action } else { nil }
  }
  static let quakes = Cursor(state: \AppState.quakes, action: AppAction.quakes) {
    if case .quakes(let action) = $0 { action } else { nil }
  }
}

/// Passes each action to the reducer of its product.
enum AppReducer {
  /// Increases with each change of the reducers and of `StateDigest`, because servers that share a log
  /// must reduce an entry in the same way, and compare digests.
  static let number = 13
  static let reducer = Reducer<AppState, AppAction>.combine(
    Reducer(CounterReducer.reduceOrRefuse)
      .transition { Transition($0 == .didTapIncrementButton ? "rise" : "fall") }
      .pullback(AppCursor.counter),
    Reducer(AnimalsReducer.reduceOrRefuse).pullback(AppCursor.animals),
    Reducer(QuakesReducer.reduce).pullback(AppCursor.quakes)
  )

  /// Only the state, without the rest.
  @Sendable static func reduce(state: AppState, action: AppAction) throws -> AppState {
    try self.reducer.update(state, action).state
  }
}

extension AppState: Redactable {
  func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(
      counter: self.counter.redacted(pseudonym),
      animals: self.animals.redacted(pseudonym),
      quakes: self.quakes.redacted(pseudonym)
    )
  }
}

extension AppAction: Redactable {
  func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .counter(let action): .counter(action.redacted(pseudonym))
    case .animals(let action): .animals(action.redacted(pseudonym))
    case .quakes(let action): .quakes(action.redacted(pseudonym))
    }
  }
}

extension AppState: StoreState {
  typealias Action = AppAction
}
