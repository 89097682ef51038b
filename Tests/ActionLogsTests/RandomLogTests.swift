import ActionLogs
import Foundation
import TestSupport
import Testing

extension WithPostgreSQL {
  /// A database does what the log in memory does, whatever is asked of them in whatever order.
  @Suite struct RandomLogTests {
    private enum Step: CustomStringConvertible {
      case append([AppendRequest])
      case page(after: UInt64, limit: Int)
      case save(LogSnapshot)
      case trim(Int, Duration)
      case acquire(String, holder: String, Duration)
      case renew(Lease, Duration)
      case release(Lease)
      case fact(String, String)
      case advance(Duration)

      var description: String {
        switch self {
        case .append(let requests):
          "append \(requests.map { ($0.entry.id, $0.entry.reducer, $0.fence?.epoch) })"
        case .page(let sequence, let limit): "page \(sequence) \(limit)"
        case .save(let snapshot): "save \(snapshot.sequence) \(snapshot.digest)"
        case .trim(let count, let age): "trim \(count) \(age)"
        case .acquire(let name, let holder, let duration): "acquire \(name) \(holder) \(duration)"
        case .renew(let lease, let duration): "renew \(lease.epoch) \(duration)"
        case .release(let lease): "release \(lease.epoch)"
        case .fact(let name, let value): "fact \(name) \(value)"
        case .advance(let duration): "advance \(duration)"
        }
      }
    }

    /// The same lease has different epochs in two logs, so leases are told apart by when they were taken.
    private struct Run {
      let test: TestLog
      var leases: [Lease] = []

      mutating func perform(_ step: Step, _ leaseOf: (Lease) -> Lease) async -> String {
        do {
          let log = try self.test.makeOther()
          switch step {
          case .append(let requests):
            return
              "\(try await log.append(requests.map { AppendRequest($0.entry, fence: $0.fence.map(leaseOf)) }))"
          case .page(let sequence, let limit):
            // Without the ages, which depend on when each log was read.
            let page = try await log.page(after: sequence, limit: limit)
            return "\(page.entries.map { ($0.sequence, $0.entry) }) \(page.head)"
          case .save(let snapshot):
            let digest = try await log.save(snapshot)
            return "\(digest) \(try await log.newestSnapshot()?.sequence ?? 0)"
          case .trim(let count, let age):
            try await log.trim(keeping: count, youngerThan: age)
          case .acquire(let name, let holder, let duration):
            guard let lease = try await log.acquireLease(name, holder: holder, for: duration) else {
              return "held"
            }
            if self.leases.contains(lease) { return "kept" }
            self.leases.append(lease)
            return "taken"
          case .renew(let lease, let duration):
            return "\(try await log.renew(leaseOf(lease), for: duration))"
          case .release(let lease): try await log.release(leaseOf(lease))
          case .fact(let name, let value):
            return "\(Array(try await log.fact(name, orElse: Data(value.utf8))))"
          case .advance(let duration): try await self.test.advance(duration)
          }
          return ""
        } catch let error as ActionLogError {
          return "\(error.code)"
        } catch {
          return "\(error)"
        }
      }
    }

    @Test(arguments: 0..<4)
    func `both logs answer the same`(round: Int) async throws {
      let seed = UInt64.random(in: 0...(.max))
      var generator = SeededGenerator(seed: seed)
      var limits = LogLimits()
      limits.pageBytes = 40
      var model = Run(test: .memory(limits))
      var database = Run(test: try await .postgreSQL(limits))
      var transcript: [String] = []

      for _ in 0..<120 {
        let step = Self.step(&generator, leases: model.leases)
        let expected = await model.perform(step) { $0 }
        let leases = (model.leases, database.leases)
        let answer = await database.perform(step) { lease in
          leases.1[leases.0.firstIndex(of: lease) ?? 0]
        }
        transcript.append("\(step): \(expected)")
        guard answer == expected else {
          Issue.record(
            "seed \(seed): \(answer)\n\(transcript.joined(separator: "\n"))")
          return
        }
      }
    }

    private static func step(_ generator: inout SeededGenerator, leases: [Lease]) -> Step {
      func number(_ limit: Int) -> Int { .random(in: 0..<limit, using: &generator) }
      // Nothing ends at the very time that has passed.
      let duration = Duration.seconds(2_000 * (1 + number(20)) + 500)
      let lease = leases.randomElement(using: &generator)
      switch number(12) {
      case 0...3:
        return .append(
          (0..<number(5)).map { _ in
            .make(
              "\(number(80))",
              reducer: number(40) == 0 ? 2 : 1,
              payload: String(repeating: "x", count: number(30)),
              fence: number(3) == 0 ? leases.suffix(4).randomElement(using: &generator) : nil
            )
          })
      case 4: return .page(after: UInt64(number(60)), limit: 1 + number(8))
      case 5:
        return .save(
          LogSnapshot(
            sequence: UInt64(number(60)), reducer: 1, digest: "\(number(9))", state: Data([1])))
      case 6: return .trim(1 + number(3), .seconds(20_000 * number(3) + 500))
      case 7: return .acquire("l\(number(2))", holder: "h\(number(3))", duration)
      case 8: return lease.map { .renew($0, duration) } ?? .fact("f", "v")
      case 9:
        return number(3) == 0
          ? (lease.map { .release($0) } ?? .fact("f", "v")) : .fact("f\(number(3))", "\(number(9))")
      default: return .advance(.seconds(1_000 * (number(14) - 3)))
      }
    }
  }
}
