import CounterData
import Testing

struct CounterStateTests {
  @Test func `a new counter is at zero`() {
    #expect(CounterState.selectValue()(CounterState()) == 0)
  }

  @Test func `the value is selected`() {
    #expect(CounterState.selectValue()(CounterState(7)) == 7)
  }
}
