import ActionLogs
import CounterData
import Glibc
import ImmutableData
import Replication

struct Number: Codable, Hashable, Identifiable, Sendable {
  let id: Int
  var value: Int
}

enum NumbersAction: Codable, Sendable {
  case didSet(Number)
}

struct Numbers: Sendable {
  var table = Table<Number>()

  init(rows: Int) {
    for id in 0..<rows { self.table[id] = Number(id: id, value: 0) }
  }

  @Sendable static func reduce(state: Self, action: NumbersAction) -> Self {
    var state = state
    switch action {
    case .didSet(let number): state.table[number.id] = number
    }
    return state
  }
}

/// The time that a server takes for the entries of another server, compared with a store of its own
/// that gets the same actions.
///
/// The main actor reduces, and is what every post and every effect waits for. Entries are read and
/// decoded beside it.
@main struct FoldingBenchmark {
  private static let count = 20_000
  private static let runs = 5

  static func main() async throws {
    print("| Action | Store | Replica, main actor | Of the Store | Replica, all threads |")
    print("| --- | ---: | ---: | ---: | ---: |")
    try await self.measure(
      "increments of the Counter", CounterState(), Reducer(CounterReducer.reduce)
    ) { _ in .didTapIncrementButton }
    try await self.measure(
      "changes of a row of 10,000", Numbers(rows: 10_000), Reducer(Numbers.reduce)
    ) { .didSet(Number(id: $0 * 7_919 % 10_000, value: $0)) }
  }

  /// Prints the best of some runs, which take turns.
  @MainActor private static func measure<State: Sendable, Action: Codable & Sendable>(
    _ name: String,
    _ state: State,
    _ reducer: Reducer<State, Action>,
    action: (Int) -> Action
  ) async throws {
    let configuration = ReplicaConfiguration<State>(product: "benchmark", reducer: 1)
    let log = MemoryLog()
    let writer = try await Replica.join(
      log, configuration, initialState: state, reducer: reducer)
    for number in 0..<self.count { try writer.store.dispatch(action: action(number)) }
    while try await log.page(after: 0, limit: 1).head < self.count { await Task.yield() }
    let actions = (0..<self.count).map(action)

    var (alone, folding, all) = (Double.infinity, Double.infinity, Double.infinity)
    for _ in 0..<self.runs {
      let store = Store(initialState: state, reducer: reducer)
      var began = self.time(CLOCK_THREAD_CPUTIME_ID)
      for action in actions { try store.dispatch(action: action) }
      alone = min(alone, self.time(CLOCK_THREAD_CPUTIME_ID) - began)

      var other = configuration
      other.node = "reader"
      let replica = try await Replica.begin(
        log, other, initialState: state, reducer: reducer)
      began = self.time(CLOCK_THREAD_CPUTIME_ID)
      let begun = self.time(CLOCK_PROCESS_CPUTIME_ID)
      try await replica.catchUp()
      folding = min(folding, self.time(CLOCK_THREAD_CPUTIME_ID) - began)
      all = min(all, self.time(CLOCK_PROCESS_CPUTIME_ID) - begun)
      precondition(replica.store.snapshot().version == UInt64(self.count))
    }
    let cells = [alone, folding, all].map { seconds in
      let tenths = (seconds / Double(self.count) * 1e7).rounded()
      return "\(tenths / 10) µs"
    }
    let ratio = (folding / alone * 100).rounded() / 100
    print("| \(name) | \(cells[0]) | \(cells[1]) | \(ratio) | \(cells[2]) |")
  }

  /// The CPU time of the process, or of the thread, which is that of the main actor.
  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
