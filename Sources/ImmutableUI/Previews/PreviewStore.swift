import Foundation
import ImmutableData

/// The sample state that a preview reads, and when and where its window is.
///
/// It is the state of a Store that has no listener: nothing is fetched, and nothing is saved.
///
/// ```swift
/// PreviewStore(CounterState(7))
/// PreviewStore(AnimalsState(), after: [fetched], AnimalsReducer.reduce)
/// ```
///
/// Source: the guide, chapter AnimalsUI, section PreviewStore.
public struct PreviewStore<State: StoreState>: Sendable {
  /// What the selectors read.
  public let state: State
  /// That of the window.
  public let environment: WindowEnvironment

  /// - Parameters:
  ///   - state: What the selectors read.
  ///   - environment: That of the window; it is always the same, so that previews are too.
  public init(_ state: State, environment: WindowEnvironment = .preview) {
    self.state = state
    self.environment = environment
  }

  /// - Parameters:
  ///   - state: The first state.
  ///   - actions: What has happened since. One that is refused is a programmer error.
  ///   - reduce: The reducer.
  ///   - environment: That of the window; it is always the same, so that previews are too.
  public init(
    _ state: State,
    after actions: [State.Action],
    _ reduce: (State, State.Action) throws -> State,
    environment: WindowEnvironment = .preview
  ) {
    do {
      self.init(try actions.reduce(state, reduce), environment: environment)
    } catch {
      preconditionFailure("the reducer refuses an action of a preview of \(State.self): \(error)")
    }
  }
}

extension WindowEnvironment {
  /// Noon of February 7, 2018, in UTC: where and when windows of previews are.
  public static let preview = Self(
    timeZone: .gmt,
    date: Date(timeIntervalSince1970: 1_518_004_800)
  )
}
