import Foundation
import HashTreeCollections
import ImmutableData
import Synchronization

@testable import QuakesData

extension Date {
  /// 2018-02-07 00:00:00 UTC.
  static let day = Date(timeIntervalSince1970: 1_517_961_600)

  static func + (date: Self, hours: Int) -> Self {
    date.addingTimeInterval(Double(hours) * 3_600)
  }
}

extension Quake {
  static func make(
    _ quakeId: String = "a",
    magnitude: Double = 1,
    time: Date = .day,
    updated: Date = .day,
    name: String = "Alaska",
    longitude: Double = -150,
    latitude: Double = 61
  ) -> Self {
    Self(
      quakeId: quakeId,
      magnitude: magnitude,
      time: time,
      updated: updated,
      name: name,
      longitude: longitude,
      latitude: latitude
    )
  }

  /// The quakes of the tests, and one that is new.
  static let a = Self.make("a")
  static let b = Self.make("b", magnitude: 2)
  static let c = Self.make("c", magnitude: 3)
  static let d = Self.make("d", magnitude: 4)
}

extension QuakesState {
  /// A state with these values, each under its own id.
  static func make(
    _ quakes: [Quake] = [],
    status: Status? = nil,
    skipped: Int = 0,
    deletions: Quakes.Deletions = .init(),
    failure: String? = nil,
    rereads: [Quakes.Deletions] = []
  ) -> Self {
    var state = Self(
      quakes: Quakes(
        data: TreeDictionary(uniqueKeysWithValues: quakes.map { ($0.id, $0) }),
        status: status
      )
    )
    state.quakes.skipped = skipped
    state.quakes.deletions = deletions
    state.quakes.failure = failure
    state.quakes.rereads = rereads
    return state
  }

  /// `a`, `b` and `c` are there, and nothing is under way.
  static let fetched = Self.make([.a, .b, .c], status: .success)
}

typealias QuakesStore = Store<QuakesState, QuakesAction>

/// Numbers that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    self.state = seed
  }

  mutating func next() -> UInt64 {
    // Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (splitmix64).
    self.state &+= 0x9e37_79b9_7f4a_7c15
    var z = self.state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Holds whoever waits until it is opened; open, it holds nobody.
final class Gate: Sendable {
  private struct Contents {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = self.contents.withLock { contents in
        if contents.isOpen == false { contents.waiting.append(continuation) }
        return contents.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = self.contents.withLock { contents in
      defer { contents.waiting = [] }
      contents.isOpen = true
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// What happened, in its order, from whichever thread.
final class Transcript<Entry: Sendable>: Sendable {
  private struct Contents {
    var entries: [Entry] = []
    var waiting: [(isMet: @Sendable ([Entry]) -> Bool, gate: Gate)] = []
  }

  private let contents = Mutex(Contents())

  var entries: [Entry] {
    self.contents.withLock { $0.entries }
  }

  func append(_ entry: Entry) {
    self.contents.withLock { contents in
      contents.entries.append(entry)
      contents.waiting.removeAll { waiting in
        guard waiting.isMet(contents.entries) else { return false }
        waiting.gate.open()
        return true
      }
    }
  }

  /// Waits until the entries meet a condition.
  func wait(until isMet: @escaping @Sendable ([Entry]) -> Bool) async {
    let gate = Gate()
    self.contents.withLock { contents in
      if isMet(contents.entries) {
        gate.open()
      } else {
        contents.waiting.append((isMet, gate))
      }
    }
    await gate.wait()
  }
}
