import AnimalsData
import AnimalsUI
import CounterData
import CounterUI
import ImmutableData
import ImmutableUI
import QuakesData
import QuakesUI

/// The products' parts of the store, and their pages.
@MainActor struct AppPages: Sendable {
  let store: Store<AppState, AppAction>
  let counter: Store<CounterState, CounterAction>
  let animals: Store<AnimalsState, AnimalsAction>
  let quakes: Store<QuakesState, QuakesAction>

  init(_ store: Store<AppState, AppAction>) {
    self.store = store
    self.counter = store.scope(AppCursor.counter)
    self.animals = store.scope(AppCursor.animals)
    self.quakes = store.scope(AppCursor.quakes)
  }

  /// - Parameter effects: Where listeners run their effects, if there are any.
  nonisolated func providers(effects: EffectLanes? = nil) -> [Provider] {
    [
      Provider(self.store) {
        Page(Home.self, at: "/", title: "ImmutableData")
      },
      Provider(self.counter) {
        CounterUI.Content.page()
      },
      Provider(self.animals, effects: effects) {
        AnimalsUI.Content.page()
      },
      Provider(self.quakes, effects: effects) {
        QuakesUI.Content.page()
      },
    ]
  }
}
