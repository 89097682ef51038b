import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import QuakesData

@MainActor struct PreparedQuakesTests {
  /// So many that they are prepared.
  private static let many = (0...1_000).map { Quake.make("\($0)") }

  /// Lets a listener perform an action, up to the last one that its effect dispatches.
  private func perform(
    _ action: QuakesAction,
    until last: ActionKind,
    in state: QuakesState
  ) async throws -> (QuakesState, PreparedQuakes) {
    let prepared = PreparedQuakes()
    let store = QuakesStore(initialState: state, reducer: QuakesReducer.reduce)
    let local = LocalStoreDouble(Self.many)
    let listener = Listener(
      localStore: local,
      remoteStore: RemoteStoreDouble(Self.many, transcript: local.transcript),
      lanes: EffectLanes()
    )
    listener.listen(to: store)
    let stream = store.makeStream()
    try await PreparedQuakes.$current.withValue(prepared) {
      try store.dispatch(action: action)
      for await (_, action) in stream where ActionKind(of: action) == last { break }
    }
    withExtendedLifetime(listener) {}
    return (store.state, prepared)
  }

  @Test func `a refresh is computed before its action, for the reducer and the listener`()
    async throws
  {
    let (state, prepared) = try await self.perform(
      .make(.onTapRefresh), until: .didFetchRemote, in: .fetched)

    #expect(Set(state.quakes.data.values) == Set([.a, .b, .c] + Self.many))
    #expect(prepared.missCount == 0)
  }

  @Test func `the content of the local store is put into a table before its action`() async throws {
    let (state, prepared) = try await self.perform(
      .onAppear, until: .didFetchLocal, in: QuakesState())

    #expect(Set(state.quakes.data.values) == Set(Self.many))
    #expect(prepared.missCount == 0)
  }

  @Test func `what was prepared for another state or other quakes is not used`() throws {
    let prepared = PreparedQuakes()
    let quakes = [Quake.d]
    prepared.prepareRefresh(of: QuakesState.fetched.quakes, by: quakes)
    prepared.prepareInsertion(of: quakes, into: Table())

    let refresh = prepared.refresh(of: QuakesState.make([.a]).quakes, by: quakes)
    let equal = prepared.refresh(of: QuakesState.fetched.quakes, by: [.make("d", magnitude: 4)])
    let insertion = prepared.insertion(of: quakes, into: QuakesState.fetched.quakes.table)

    #expect(refresh.table.allRows.count == 2)
    #expect(equal.table.allRows.count == 4)
    #expect(insertion.allRows.count == 4)
    #expect(prepared.missCount == 3)
  }

  @Test func `what was prepared equals what the reducer computes`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)

    for _ in 0..<200 {
      let quakes = (0..<20).map { _ in
        Quake.make(
          "\(Int.random(in: 0..<15, using: &generator))",
          magnitude: Double(Int.random(in: -1...2, using: &generator)))
      }
      let state = QuakesState.make(
        (0..<15).filter { _ in Bool.random(using: &generator) }.map { .make("\($0)") })
      let actions: [QuakesAction] = [.didFetchRemote(quakes), .didFetchLocal(quakes)]
      let computed = try actions.map { try QuakesReducer.reduce(state: state, action: $0) }
      let prepared = PreparedQuakes()
      prepared.prepareRefresh(of: state.quakes, by: quakes)
      prepared.prepareInsertion(of: quakes, into: state.quakes.table)

      let taken = try PreparedQuakes.$current.withValue(prepared) {
        try actions.map { try QuakesReducer.reduce(state: state, action: $0) }
      }

      #expect(taken == computed, "seed \(seed)")
      #expect(taken[0].quakes.newCount == computed[0].quakes.newCount, "seed \(seed)")
      #expect(prepared.missCount == 0, "seed \(seed)")
    }
  }
}
