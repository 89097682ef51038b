import AnimalsData
import DeveloperTools
import Foundation
import QuakesData
import Services

/// The effects that actions start, for comparisons of two builds. None of them runs.
@MainActor struct AppEffects {
  private let animals: AnimalsData.Listener<AnimalsData.StateStore>
  private let quakes:
    QuakesData.Listener<QuakesData.StateStore, QuakesData.RemoteStore<NetworkSession<URLSession>>>

  init(_ pages: AppPages) {
    self.animals = AnimalsData.Listener(store: AnimalsData.StateStore(pages.animals))
    self.quakes = QuakesData.Listener(
      localStore: QuakesData.StateStore(pages.quakes),
      remoteStore: QuakesData.RemoteStore(
        session: NetworkSession(urlSession: URLSession.shared), location: .usgs))
  }

  func lines(_ oldState: AppState, _ state: AppState, _ action: AppAction) -> [String] {
    switch action {
    case .counter: []
    case .animals(let action):
      self.animals.effects(oldState.animals, { state.animals }, action).flatMap(\.lines)
    case .quakes(let action):
      self.quakes.effects(oldState.quakes, { state.quakes }, action).flatMap(\.lines)
    }
  }
}
