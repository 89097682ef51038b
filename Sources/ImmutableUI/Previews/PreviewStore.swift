import Foundation
import ImmutableData

/// The sample state that a preview reads, with the date and time zone of its window.
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
  /// The environment of the window.
  public let environment: WindowEnvironment

  /// - Parameters:
  ///   - state: What the selectors read.
  ///   - environment: The environment of the window. The default is the same for all previews.
  public init(_ state: State, environment: WindowEnvironment = .preview) {
    self.state = state
    self.environment = environment
  }

  /// - Parameters:
  ///   - state: The first state.
  ///   - actions: The actions to reduce. A refused action is a programmer error.
  ///   - reduce: The reducer.
  ///   - environment: The environment of the window. The default is the same for all previews.
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
  /// The date and time zone of previews: noon on February 7, 2018, in UTC.
  public static let preview = Self(
    timeZone: .gmt,
    date: Date(timeIntervalSince1970: 1_518_004_800)
  )
}
