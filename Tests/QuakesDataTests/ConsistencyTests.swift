import Foundation
import HashTreeCollections
import ImmutableData
import Synchronization
import TestSupport
import Testing

@testable import QuakesData

/// Random actions on stores that fail at random, in an order that is as random as the scheduler.
@Suite(.timeLimit(.minutes(20))) @MainActor struct ConsistencyTests {
  @Test(arguments: [false, true])
  func `the state matches the local store in the end, whatever fails`(
    hasLanes: Bool
  ) async throws {
    let seed = UInt64.random(in: .min ... .max)
    print("ConsistencyTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)

    for run in 0..<200 {
      let fixture = Fixture(hasLanes: hasLanes, using: &generator)
      for _ in 0..<30 {
        // Refused are only deletes of what is not there.
        try? fixture.store.dispatch(action: .random(using: &generator))
        for _ in 0..<Int.random(in: 0...6, using: &generator) { await Task.yield() }
      }
      fixture.random.stopFailing()
      await fixture.waitForFetch()
      try await fixture.save("first")
      // A delete that failed before that has the store read again before this.
      try await fixture.save("second")

      let state = fixture.store.state.quakes
      #expect(
        Dictionary(uniqueKeysWithValues: state.data.map { ($0.key, $0.value) })
          == fixture.local.quakes,
        "run \(run) of seed \(seed)"
      )
      #expect(state.status != .waiting, "run \(run) of seed \(seed)")
    }
  }
}

private let ids = ["a", "b", "c", "d", "e"]

extension QuakesAction {
  fileprivate static func random(using generator: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: .onAppear
    case 1...4: .onTapRefresh
    case 5...8: .onTapDelete(ids.randomElement(using: &generator)!)
    default: .onTapDeleteAll
    }
  }
}

/// Random answers, from whichever thread.
private final class RandomAnswers: Sendable {
  private let contents: Mutex<(generator: SeededGenerator, isFailing: Bool)>

  init(seed: UInt64) {
    self.contents = Mutex((SeededGenerator(seed: seed), true))
  }

  func stopFailing() {
    self.contents.withLock { $0.isFailing = false }
  }

  func mayFail(_ call: StoreCall) throws {
    let fails = self.contents.withLock { contents in
      contents.isFailing && Int.random(in: 0..<3, using: &contents.generator) == 0
    }
    if fails { throw StoreError(call: call) }
  }

  func quakes() -> [Quake] {
    self.contents.withLock { contents in
      ids.compactMap { id in
        guard Bool.random(using: &contents.generator) else { return nil }
        return .make(id, magnitude: Double(Int.random(in: 0...3, using: &contents.generator)))
      }
    }
  }

  func yields() -> Int {
    self.contents.withLock { Int.random(in: 0...5, using: &$0.generator) }
  }
}

@MainActor private final class Fixture {
  let store: QuakesStore
  let random: RandomAnswers
  let local: LocalStoreDouble
  private let listener: Listener<LocalStoreDouble, RemoteStoreDouble>
  private var iterator: AsyncStream<(oldState: QuakesState, action: QuakesAction)>.Iterator

  init(hasLanes: Bool, using generator: inout SeededGenerator) {
    let random = RandomAnswers(seed: generator.next())
    var local = LocalStoreDouble(random.quakes())
    local.willDo = { call in
      for _ in 0..<random.yields() { await Task.yield() }
      // A store that cannot be read is not the same as what it had until it is.
      if call != .fetchLocal { try random.mayFail(call) }
    }
    var remote = RemoteStoreDouble(transcript: local.transcript)
    remote.fetch = { range in
      for _ in 0..<random.yields() { await Task.yield() }
      try random.mayFail(.fetchRemote(range))
      return random.quakes()
    }
    self.random = random
    self.local = local
    // It appears first, as it does in every window.
    self.store = QuakesStore(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    self.listener = Listener(
      localStore: local, remoteStore: remote, lanes: hasLanes ? EffectLanes() : nil)
    self.iterator = self.store.makeStream().makeAsyncIterator()
    self.listener.listen(to: self.store)
    try? self.store.dispatch(action: .onAppear)
  }

  func waitForFetch() async {
    var iterator = self.iterator
    defer { self.iterator = iterator }
    while self.store.state.quakes.status == .waiting {
      _ = await iterator.next(isolation: #isolation)
    }
  }

  /// Saves a quake, after all that was begun before.
  func save(_ quakeId: Quake.ID) async throws {
    try self.store.dispatch(action: .didFetchRemote([.make(quakeId)]))
    await self.local.transcript.wait { entries in
      entries.contains { entry in
        guard case .ended(.save(let inserted, _, _)) = entry else { return false }
        return inserted.contains { $0.id == quakeId }
      }
    }
  }
}
