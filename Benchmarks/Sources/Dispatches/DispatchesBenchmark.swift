import CounterData
import Glibc
import ImmutableData

/// The CPU time of a dispatch that nobody records, of its reducer alone, and of a dispatch to a recorder that does
/// nothing, in nanoseconds: the best of some runs, which take turns.
@main struct DispatchesBenchmark {
  private static let count = 200_000
  private static let runs = 9

  @MainActor static func main() throws {
    let (unrecorded, recorded) = (Self.makeStore(), Self.makeStore())
    recorded.record { _ in }
    var best = [Double](repeating: .infinity, count: 3)
    for _ in 0..<Self.runs {
      best[0] = min(best[0], try Self.nanoseconds { try Self.dispatch(to: unrecorded) })
      best[1] = min(best[1], Self.nanoseconds(Self.reduce))
      best[2] = min(best[2], try Self.nanoseconds { try Self.dispatch(to: recorded) })
    }
    print(best.map { "\($0)" }.joined(separator: " "))
  }

  @MainActor private static func makeStore() -> Store<CounterState, CounterAction> {
    Store(initialState: CounterState(), reducer: CounterReducer.reduce)
  }

  @MainActor private static func dispatch(to store: Store<CounterState, CounterAction>) throws {
    try store.dispatch(action: .didTapIncrementButton)
  }

  /// Reduces a state of its own, so that nothing can be left out.
  @MainActor private static func reduce() {
    Self.state = CounterReducer.reduce(state: Self.state, action: .didTapIncrementButton)
  }

  @MainActor private static var state = CounterState()

  /// Of one run of a body, on average.
  @MainActor private static func nanoseconds(
    _ body: @MainActor () throws -> Void
  ) rethrows -> Double {
    let began = Self.processorTime()
    for _ in 0..<Self.count { try body() }
    return (Self.processorTime() - began) / Double(Self.count)
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
