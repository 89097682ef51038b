import Testing

@testable import CounterData

struct CounterReducerTests {
  @Test(arguments: [-1, 0, 41, Int.max - 1])
  func `increment adds one`(value: Int) {
    let state = CounterReducer.reduce(state: CounterState(value), action: .didTapIncrementButton)

    #expect(state.value == value + 1)
  }

  @Test(arguments: [1, 0, -41, Int.min + 1])
  func `decrement takes one away`(value: Int) {
    let state = CounterReducer.reduce(state: CounterState(value), action: .didTapDecrementButton)

    #expect(state.value == value - 1)
  }

  @Test(
    arguments: zip(
      [Int.max, Int.min],
      [CounterAction.didTapIncrementButton, .didTapDecrementButton]
    )
  )
  func `an action past the range of Int changes nothing`(value: Int, action: CounterAction) {
    let state = CounterReducer.reduce(state: CounterState(value), action: action)

    #expect(state.value == value)
  }

  @Test(
    arguments: zip(
      [Int.max, Int.min],
      [CounterAction.didTapIncrementButton, .didTapDecrementButton]
    )
  )
  func `an action past the range of Int is refused`(value: Int, action: CounterAction) {
    let error = #expect(throws: CounterReducer.Error.self) {
      try CounterReducer.reduceOrRefuse(state: CounterState(value), action: action)
    }

    #expect(error?.code == .overflow)
  }
}
