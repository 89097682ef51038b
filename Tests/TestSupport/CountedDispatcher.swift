public import ImmutableData
import Testing

/// A dispatcher for one thunk: keeps the actions that it gets, and may throw for each.
@MainActor
public final class CountedDispatcher<State: Sendable, Action: Sendable>: ImmutableData.Dispatcher {
  public private(set) var actions: [Action] = []
  private let error: PlainError?

  public init(error: PlainError? = nil) {
    self.error = error
  }

  public func dispatch(action: Action) throws {
    self.actions.append(action)
    if let error = self.error { throw error }
  }

  public func dispatch(
    thunk: @Sendable (CountedDispatcher, CountedSelector<State>) throws -> Void
  ) rethrows {
    Issue.record("A session dispatches actions alone.")
  }

  public func dispatch(
    thunk: @Sendable (CountedDispatcher, CountedSelector<State>) async throws -> Void
  ) async rethrows {
    Issue.record("A session dispatches actions alone.")
  }
}
