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
  /// Why the reducer has refused an action; `nil` if it has accepted all.
  private let refusal: (any Error)?

  /// - Parameters:
  ///   - state: What the selectors read.
  ///   - environment: The environment of the window. The default is the same for all previews.
  public init(_ state: State, environment: WindowEnvironment = .preview) {
    self.init(state, environment, refusal: nil)
  }

  private init(_ state: State, _ environment: WindowEnvironment, refusal: (any Error)?) {
    self.state = state
    self.environment = environment
    self.refusal = refusal
  }

  /// - Parameters:
  ///   - state: The first state.
  ///   - actions: The actions to reduce. If the reducer refuses one, the preview cannot be shown.
  ///   - reduce: The reducer.
  ///   - environment: The environment of the window. The default is the same for all previews.
  public init(
    _ state: State,
    after actions: [State.Action],
    _ reduce: (State, State.Action) throws -> State,
    environment: WindowEnvironment = .preview
  ) {
    self = Self(state, environment: environment).after(actions, reduce)
  }

  /// The store after further actions.
  ///
  /// - Parameters:
  ///   - actions: The actions to reduce. If the reducer refuses one, the preview cannot be shown.
  ///   - reduce: The reducer.
  public func after(
    _ actions: [State.Action],
    _ reduce: (State, State.Action) throws -> State
  ) -> Self {
    guard self.refusal == nil else { return self }
    do {
      return Self(try actions.reduce(self.state, reduce), self.environment, refusal: nil)
    } catch {
      return Self(self.state, self.environment, refusal: error)
    }
  }

  /// - Throws: ``PreviewFailure`` if the reducer has refused an action.
  func requireAccepted() throws {
    guard let refusal else { return }
    throw PreviewFailure("The reducer refuses an action of this preview: \(refusal)")
  }
}

/// Why a preview cannot be shown.
package struct PreviewFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension WindowEnvironment {
  /// The date and time zone of previews: noon on February 7, 2018, in UTC.
  public static let preview = Self(
    timeZone: .gmt,
    date: Date(timeIntervalSince1970: 1_518_004_800)
  )
}
