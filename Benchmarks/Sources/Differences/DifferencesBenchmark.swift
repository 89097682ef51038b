import DeveloperTools
import Glibc
import ImmutableData

/// The time to find the differences between two states, and to update a state's digest.
@main enum DifferencesBenchmark {
  struct Row: Hashable, Identifiable, Sendable {
    let id: Int
    var name: String
    var count = 0
    var note: String?
  }

  struct State: Sendable {
    var table: Table<Row>
    var count = 0

    init(rows: Int) {
      self.table = Table()
      for id in 0..<rows { self.table[id] = Row(id: id, name: "Row \(id)") }
    }

    /// The state after so many of its rows were changed.
    func changing(_ count: Int) -> Self {
      var state = self
      let step = self.table.count / count
      for id in stride(from: 0, to: count * step, by: step) {
        state.table[id]?.count += 1
      }
      state.count += 1
      return state
    }
  }

  /// The target for one row of 10,000, in microseconds.
  private static let limit = 1_000.0

  static func main() {
    print("| Rows | Changed | Difference | Digest | Comparing every row |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for (rows, changed) in [(10_000, 1), (10_000, 100), (64_000, 1), (64_000, 100)] {
      let old = State(rows: rows)
      let new = old.changing(changed)
      let digest = StateDigest(of: old).text
      let difference = Self.microseconds {
        // The number is one more part that differs.
        precondition(StateDifference(from: old, to: new).paths.count == min(changed + 1, 100))
      }
      let digesting = Self.microseconds {
        precondition(StateDigest.text(of: new, from: digest, of: old) != digest)
      }
      let every = Self.microseconds {
        let differing = (0..<rows).count { old.table[$0] != new.table[$0] }
        precondition(differing == changed)
      }
      let cells = [difference, digesting, every].map { "\(Int($0.rounded())) µs" }
      print("| \(rows) | \(changed) | \(cells.joined(separator: " | ")) |")
      guard (rows, changed) != (10_000, 1) || difference <= Self.limit else {
        print("One row of 10,000 took more than \(Int(Self.limit)) µs.")
        exit(1)
      }
    }
  }

  /// The median of the CPU time of some runs.
  private static func microseconds(_ body: () -> Void) -> Double {
    var times: [Double] = []
    for _ in 0..<51 {
      let began = Self.processorTime()
      body()
      times.append(Self.processorTime() - began)
    }
    return times.sorted()[times.count / 2]
  }

  /// In microseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
