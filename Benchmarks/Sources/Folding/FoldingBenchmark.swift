import ActionLogs
import CounterData
import Foundation
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

/// What a server needs of the payload of an entry.
private struct Payload<Action: Decodable>: Decodable {
  let action: Action
}

/// The CPU time that a server takes for the entries of another server, compared with a store of its
/// own that gets the same actions. It includes that of reading and decoding them, beside the main
/// actor. A server needs at least as much as the store, reading and decoding together.
@main struct FoldingBenchmark {
  private static let count = 20_000
  private static let runs = 5

  static func main() async throws {
    print("| Action | Store | Reading and decoding | Replica | Of the Store | Of both |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
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

    var (alone, reading, folding) = (Double.infinity, Double.infinity, Double.infinity)
    for _ in 0..<self.runs {
      let store = Store(initialState: state, reducer: reducer)
      var began = self.processorTime()
      for action in actions { try store.dispatch(action: action) }
      alone = min(alone, self.processorTime() - began)

      began = self.processorTime()
      try await self.read(log, Action.self)
      reading = min(reading, self.processorTime() - began)

      var other = configuration
      other.node = "reader"
      let replica = try await Replica.begin(
        log, other, initialState: state, reducer: reducer)
      began = self.processorTime()
      try await replica.catchUp()
      folding = min(folding, self.processorTime() - began)
      precondition(replica.store.snapshot().version == UInt64(self.count))
    }
    let times = [alone, reading, folding].map { seconds in
      let tenths = (seconds / Double(self.count) * 1e7).rounded()
      return "\(tenths / 10) µs"
    }
    let ratios = [alone, alone + reading].map { "\((folding / $0 * 100).rounded() / 100)" }
    print("| \(name) | \((times + ratios).joined(separator: " | ")) |")
  }

  /// Reads and decodes all entries, and does nothing with them.
  @concurrent private static func read<Action: Decodable & Sendable>(
    _ log: MemoryLog,
    _ action: Action.Type
  ) async throws {
    let decoder = JSONDecoder()
    var sequence: UInt64 = 0
    while true {
      let entries = try await log.page(after: sequence, limit: 1_000).entries
      guard let last = entries.last else { return }
      for entry in entries {
        _ = try decoder.decode(Payload<Action>.self, from: entry.entry.payload)
      }
      sequence = last.sequence
    }
  }

  /// In seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
