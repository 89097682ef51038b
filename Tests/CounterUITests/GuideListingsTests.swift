// Without access to what is internal.
import CounterData
import ImmutableData
import ImmutableUI
import Observation
import Testing

/// The listings of the guide's Counter, as far as they do not need SwiftUI.
@MainActor struct GuideListingsTests {
  @MainActor private struct CounterApp {
    let store = Store(
      initialState: CounterState(),
      reducer: CounterReducer.reduce
    )
  }

  private struct CounterError: Swift.Error {
    let state: CounterState
    let action: CounterAction
  }

  private func dispatch(
    of dispatcher: some ImmutableData.Dispatcher<CounterState, CounterAction>
  ) -> (CounterAction) throws -> Void {
    dispatcher.dispatch
  }

  @Test func `the app's store counts, and its component sees it`() async throws {
    let app = CounterApp()
    let listener = Listener<CounterState, CounterAction, Int>(
      label: "SelectValue",
      outputSelector: OutputSelector(select: CounterState.selectValue(), didChange: { $0 != $1 })
    )
    let dispatch = self.dispatch(of: app.store)
    listener.listen(to: app.store)
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = listener.output
    } onChange: {
      change.finish()
    }

    try dispatch(.didTapIncrementButton)
    try dispatch(.didTapIncrementButton)
    try dispatch(.didTapDecrementButton)
    for await _ in changes {}

    #expect(app.store.state.value == 1)
    #expect(listener.output == 1)
  }

  @Test func `a preview's reducer can throw`() {
    let store = ImmutableData.Store(
      initialState: CounterState(7),
      reducer: { (state: CounterState, action: CounterAction) -> CounterState in
        throw CounterError(
          state: state,
          action: action
        )
      }
    )

    let error = #expect(throws: CounterError.self) {
      try store.dispatch(action: .didTapDecrementButton)
    }

    #expect(error?.state.value == 7)
    #expect(error?.action == .didTapDecrementButton)
    #expect(store.state.value == 7)
  }
}
