import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs of generated input. The same seed makes the same inputs.
///
/// `ITERATIONS` says how many inputs each run has, `SEED` where they begin (`make fuzz`).
enum Fuzzing {
  private static let iterations: Int? = Self.environment("ITERATIONS")
  static let seed = Self.environment("SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  /// - Parameters:
  ///   - name: What is tried.
  ///   - few: How many inputs there are unless `ITERATIONS` says.
  ///   - cost: How many usual inputs take as long as one of these.
  ///   - isWatched: Whether an input that takes for ever ends the process. Those that wait for the
  ///     main actor cannot be told from it: other tests use that, too.
  ///   - attempt: Makes an input and tries it; throws ``Finding`` for one that breaks what should
  ///     hold.
  static func run(
    _ name: String,
    few: Int,
    cost: Int = 1,
    isWatched: Bool = true,
    _ attempt: (inout SeededGenerator) async throws -> Void
  ) async throws {
    let count = Self.iterations.map { max($0 / cost, 1) } ?? few
    print("fuzz \(name): \(count) inputs, SEED=\(Self.seed)")
    let watch = isWatched ? Watch(name) : nil
    let begun = ContinuousClock.now
    defer {
      watch?.end()
      print("fuzz \(name): \(ContinuousClock.now - begun)")
    }
    for index in 0..<count {
      var generator = SeededGenerator(seed: Self.seed &+ UInt64(index) &* 0xd129_0b26_85a1_19f1)
      // There are more runs than threads: none is to wait for the end of another.
      await Task.yield()
      watch?.begin(index)
      defer { watch?.rest() }
      do {
        try await attempt(&generator)
      } catch {
        Issue.record("\(name), input \(index) of SEED=\(Self.seed): \(error)")
        return
      }
    }
  }

  private static func environment<Value: LosslessStringConvertible>(_ name: String) -> Value? {
    ProcessInfo.processInfo.environment[name].flatMap(Value.init)
  }

  /// The project's folder.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Ends the process when an input takes for ever: nothing else can end code that hangs.
private final class Watch: Sendable {
  /// No input may take as long.
  private static let limit = DispatchTimeInterval.seconds(60)

  private let index = Atomic(Watch.none)
  /// The index while no input is tried, so that waiting for a thread does not count as a hang.
  private static let none = -1
  private let ended = DispatchSemaphore(value: 0)

  init(_ name: String) {
    Thread.detachNewThread { [self] in
      var last = Self.none
      while self.ended.wait(timeout: .now() + Self.limit) == .timedOut {
        let index = self.index.load(ordering: .relaxed)
        guard index == Self.none || index != last else {
          fatalError("\(name), input \(index) of SEED=\(Fuzzing.seed) hangs")
        }
        last = index
      }
    }
  }

  func begin(_ index: Int) {
    self.index.store(index, ordering: .relaxed)
  }

  func rest() {
    self.index.store(Self.none, ordering: .relaxed)
  }

  func end() {
    self.ended.signal()
  }
}

/// What broke, and with which input.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String, _ input: [UInt8]) {
    self.description =
      "\(description): \(String(decoding: input, as: UTF8.self).debugDescription) "
      + "(\(Data(input).base64EncodedString()))"
  }

  init(_ description: String, _ input: String) {
    self.init(description, Array(input.utf8))
  }
}

extension RandomNumberGenerator {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// True once in so many times.
  mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  /// Some of the elements, with repetitions, in any order.
  mutating func some<Element>(_ elements: [Element], _ counts: ClosedRange<Int>) -> [Element] {
    (0..<Int.random(in: counts, using: &self)).map { _ in self.pick(elements) }
  }
}

extension [UInt8] {
  /// Changes a few bytes: turned, taken out, put in, doubled, cut off.
  ///
  /// - Parameter words: What is put in.
  mutating func mutate(_ words: [String], using generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let index = Int.random(in: 0...self.count, using: &generator)
      let end = Swift.min(self.count, index + Int.random(in: 0...8, using: &generator))
      switch Int.random(in: 0..<7, using: &generator) {
      case 0 where index < self.count:
        self[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1 where index < self.count:
        self[index] = .random(in: 0...255, using: &generator)
      case 2: self.removeSubrange(index..<end)
      case 3: self.insert(contentsOf: Array(self[index..<end]), at: index)
      case 4 where generator.once(in: 4): self.removeLast(self.count - index)
      default: self.insert(contentsOf: generator.pick(words).utf8, at: index)
      }
    }
  }
}
