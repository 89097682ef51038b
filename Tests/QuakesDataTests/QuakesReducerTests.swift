import HashTreeCollections
import Testing

@testable import QuakesData

/// What a reducer makes of an action: the state, and why it was refused.
private struct Outcome: Hashable {
  let state: QuakesState
  var code: QuakesReducer.Error.Code?
}

private let statuses: [Status?] = [nil, .empty, .waiting, .success, .failure(error: "Old")]
private let endedStatuses: [Status?] = [nil, .empty, .success, .failure(error: "Old")]

struct QuakesReducerTests {
  private func outcome(of actions: QuakesAction..., in state: QuakesState) -> Outcome {
    var state = state
    do {
      for action in actions { state = try QuakesReducer.reduce(state: state, action: action) }
      return Outcome(state: state)
    } catch {
      return Outcome(state: state, code: (error as? QuakesReducer.Error)?.code)
    }
  }
}

// What somebody did.
extension QuakesReducerTests {
  @Test(arguments: statuses)
  func `the first window that appears begins a fetch`(status: Status?) {
    let outcome = self.outcome(of: .onAppear, in: .make([.a], status: status))

    #expect(outcome == Outcome(state: .make([.a], status: status ?? .waiting)))
  }

  @Test(arguments: endedStatuses)
  func `a refresh begins and keeps what is there`(status: Status?) {
    let outcome = self.outcome(of: .onTapRefresh, in: .make([.a], status: status, skipped: 3))

    #expect(outcome == Outcome(state: .make([.a], status: .waiting)))
  }

  @Test func `a refresh does not disturb the fetch that is under way`() {
    let state = QuakesState.make(
      [.a],
      status: .waiting,
      skipped: 3,
      deletions: .init(quakeIds: ["b"]),
      failure: "Locked"
    )

    let outcome = self.outcome(of: .onTapRefresh, in: state)

    #expect(outcome == Outcome(state: state))
  }

  @Test(arguments: endedStatuses)
  func `a quake is deleted at once`(status: Status?) {
    let outcome = self.outcome(of: .onTapDelete("a"), in: .make([.a, .b], status: status))

    #expect(outcome == Outcome(state: .make([.b], status: status)))
  }

  @Test(arguments: statuses)
  func `a quake that is not there cannot be deleted`(status: Status?) {
    let state = QuakesState.make([.b], status: status)

    let outcome = self.outcome(of: .onTapDelete("a"), in: state)

    #expect(outcome == Outcome(state: state, code: .quakeNotFound))
  }

  @Test(arguments: endedStatuses)
  func `all quakes are deleted at once`(status: Status?) {
    let outcome = self.outcome(of: .onTapDeleteAll, in: .make([.a, .b], status: status))

    #expect(outcome == Outcome(state: .make(status: status)))
  }
}

// What the stores answered.
extension QuakesReducerTests {
  @Test(arguments: statuses)
  func `what the local store has comes to what is there`(status: Status?) {
    let quake = Quake.make("b", magnitude: 5)

    let outcome = self.outcome(
      of: .didFetchLocal([quake, .c]),
      in: .make([.a, .b], status: status)
    )

    #expect(outcome == Outcome(state: .make([.a, quake, .c], status: .success)))
  }

  @Test func `what was missed comes to what is there, but for what was deleted since`() throws {
    let older = Quake.make("b", magnitude: 5)

    let state = try [
      QuakesAction.make(.didMiss), .onTapDelete("a"), .didFetchAgain([.a, older, .c], after: nil),
      .didFetchRemote([]),
    ].reduce(QuakesState.make([.a, .b], status: .waiting)) { state, action in
      try QuakesReducer.reduce(state: state, action: action)
    }

    #expect(state == .make([.b, .c], status: .success))
  }

  @Test(arguments: [ActionKind.didFetchRemote, .didFetchRemoteFailure])
  func `a refresh is under way until what was missed has been read`(end: ActionKind) {
    let hasFailed = end == .didFetchRemoteFailure

    let during = self.outcome(
      of: .onTapRefresh, .make(.didMiss), hasFailed ? .make(end) : .didFetchRemote([.b]),
      in: .make(status: .failure(error: "Locked"))
    )
    let after = self.outcome(of: .didFetchAgain([.a], after: nil), in: during.state)

    #expect(during.state.quakes.status == .waiting)
    #expect(during.state.quakes.data.keys.contains("b") == !hasFailed)
    #expect(
      after
        == Outcome(
          state: hasFailed
            ? .make([.a], status: .failure(error: "Net")) : .make([.a, .b], status: .success)
        )
    )
  }

  @Test func `a refresh does not end as one before it did`() {
    let outcome = self.outcome(
      of: .onTapRefresh, .didFetchAgain([], after: nil),
      in: .make(status: .success, rereads: [.init()], outcome: .failure(error: "Net"))
    )

    #expect(outcome == Outcome(state: .make(status: .waiting)))
  }

  @Test func `that it is missed again shows when the refresh ends`() throws {
    let missed = QuakesAction.localStore(
      .didFetchQuakesAgain(error: nil, result: .failure(error: "Disk")))

    let waiting = try [.make(.didMiss), missed].reduce(QuakesState.make([.a], status: .waiting)) {
      try QuakesReducer.reduce(state: $0, action: $1)
    }
    let ended = try QuakesReducer.reduce(state: waiting, action: .didFetchRemote([.b]))

    #expect(waiting.quakes.status == .waiting)
    #expect(ended == .make([.a, .b], status: .failure(error: "Disk")))
  }

  @Test(arguments: statuses)
  func `what the remote store has comes to what is there`(status: Status?) {
    let quake = Quake.make("b", magnitude: 5)

    let outcome = self.outcome(
      of: .didFetchRemote([quake, .c]),
      in: .make([.a, .b], status: status)
    )

    #expect(outcome == Outcome(state: .make([.a, quake, .c], status: .success)))
  }

  @Test(
    arguments: [(.didFetchLocalFailure, "Disk"), (.didFetchRemoteFailure, "Net")]
      as [(ActionKind, String)])
  func `a fetch that failed leaves what is there`(kind: ActionKind, error: String) {
    let outcome = self.outcome(of: .make(kind), in: .make([.a], status: .waiting))

    #expect(outcome == Outcome(state: .make([.a], status: .failure(error: error))))
  }

  @Test(arguments: [0, -0.0, -0.01, -3, .nan, -.infinity])
  func `quakes of a magnitude of zero and below leave and do not come`(magnitude: Double) {
    let outcome = self.outcome(
      of: .didFetchRemote([.make("a", magnitude: magnitude), .make("c", magnitude: magnitude), .d]),
      in: .make([.a, .b], status: .waiting)
    )

    #expect(outcome == Outcome(state: .make([.b, .d], status: .success)))
  }

  @Test(
    arguments: [(1, 2), (2, 1), (2, 0), (0, 2)] as [(Double, Double)])
  func `of quakes with one id the last counts`(first: Double, last: Double) {
    let quake = Quake.make("a", magnitude: last)

    let outcome = self.outcome(
      of: .didFetchRemote([.make("a", magnitude: first), .b, quake]),
      in: .make(status: .waiting)
    )

    #expect(outcome == Outcome(state: .make(last > 0 ? [quake, .b] : [.b], status: .success)))
  }

  @Test func `news that are none leave the tree as it was`() throws {
    let state = QuakesState.make([.a, .b, .c], status: .waiting)
    // An index is good only for the tree of which it was taken.
    let index = try #require(state.quakes.data.index(forKey: "b"))

    let remote = try QuakesReducer.reduce(state: state, action: .didFetchRemote([.c, .b]))
    let local = try QuakesReducer.reduce(state: state, action: .didFetchLocal([.c, .b, .a]))

    #expect(remote.quakes.data[index].value == .b)
    #expect(local.quakes.data[index].value == .b)
  }

  @Test func `what was skipped is there until the next refresh`() {
    let skipped = self.outcome(
      of: .make(.didSkip), .didFetchRemote([.a]), in: .make(status: .waiting))
    let next = self.outcome(of: .onTapRefresh, .didFetchRemote([.a]), in: skipped.state)

    #expect(skipped == Outcome(state: .make([.a], status: .success, skipped: 3)))
    #expect(next == Outcome(state: .make([.a], status: .success)))
  }
}

// What was deleted while something was fetched.
extension QuakesReducerTests {
  @Test func `a refresh does not bring back what was deleted while it was under way`() {
    let outcome = self.outcome(
      of: .onTapRefresh, .onTapDelete("a"), .didFetchRemote([.a, .b, .d]),
      in: .fetched
    )

    #expect(outcome == Outcome(state: .make([.b, .c, .d], status: .success)))
  }

  @Test func `a refresh brings only what is new after all were deleted while it was under way`() {
    let outcome = self.outcome(
      of: .onTapRefresh, .onTapDeleteAll, .didFetchRemote([.a, .b, .d]),
      in: .fetched
    )

    #expect(outcome == Outcome(state: .make([.d], status: .success)))
  }

  @Test func `the next refresh brings back what was deleted before it`() {
    let outcome = self.outcome(
      of: .onTapRefresh, .onTapDelete("a"), .didFetchRemote([]), .onTapDelete("b"),
      .onTapRefresh, .didFetchRemote([.a, .b]),
      in: .fetched
    )

    #expect(outcome == Outcome(state: .fetched))
  }

  @Test func `what is read locally does not come after all were deleted`() {
    let outcome = self.outcome(
      of: .onAppear, .onTapDeleteAll, .didFetchLocal([.a, .b]),
      in: QuakesState()
    )

    #expect(outcome == Outcome(state: .make(status: .success)))
  }

  @Test(arguments: [ActionKind.didFetchLocalFailure, .didFetchRemoteFailure])
  func `a fetch that failed forgets what was deleted meanwhile`(kind: ActionKind) {
    let outcome = self.outcome(
      of: .onTapDelete("a"), .make(kind), .onTapRefresh, .didFetchRemote([.a]),
      in: .make([.a], status: .waiting)
    )

    #expect(outcome == Outcome(state: .make([.a], status: .success)))
  }
}

// Writes that failed.
extension QuakesReducerTests {
  @Test(arguments: endedStatuses)
  func `a save that failed shows, and what it was to save stays`(status: Status?) {
    let outcome = self.outcome(of: .make(.didFailToSave), in: .make([.a], status: status))

    #expect(outcome == Outcome(state: .make([.a], status: .failure(error: "Full"))))
  }

  @Test(arguments: endedStatuses)
  func `a delete that failed shows, and the store is to be read again`(status: Status?) {
    let outcome = self.outcome(of: .make(.didFailToDelete), in: .make([.b], status: status))

    #expect(
      outcome
        == Outcome(
          state: .make([.b], status: .failure(error: "Locked"), rereads: [.init()])
        )
    )
  }

  @Test func `what a failed delete has taken comes back, and what is here stays`() {
    let newer = Quake.make("b", magnitude: 5)

    let outcome = self.outcome(
      of: .make(.didFailToDelete), .didFetchAgain([.a, .b]),
      in: .make([newer, .d], status: .success)
    )

    #expect(
      outcome == Outcome(state: .make([.a, newer, .d], status: .failure(error: "Locked")))
    )
  }

  @Test func `a store that cannot be read again either shows both errors`() {
    let outcome = self.outcome(
      of: .make(.didFailToDelete), .make(.didFetchAgainFailure),
      in: .make([.b], status: .success)
    )

    #expect(outcome == Outcome(state: .make([.b], status: .failure(error: "Locked Disk"))))
  }

  @Test func `what is deleted after another delete has failed does not come back`() {
    let outcome = self.outcome(
      of: .onTapDelete("a"), .make(.didFailToDelete), .onTapDelete("b"), .didFetchAgain([.a, .b]),
      in: .make([.a, .b], status: .success)
    )

    #expect(outcome == Outcome(state: .make([.a], status: .failure(error: "Locked"))))
  }

  @Test func `nothing comes back if all are deleted after a delete has failed`() {
    let outcome = self.outcome(
      of: .onTapDeleteAll, .make(.didFailToDelete), .onTapDeleteAll, .didFetchAgain([.a, .b]),
      in: .make([.a, .b], status: .success)
    )

    #expect(outcome == Outcome(state: .make(status: .failure(error: "Locked"))))
  }

  @Test func `each reading knows what was deleted since its own delete failed`() {
    let outcome = self.outcome(
      of: .onTapDelete("a"), .make(.didFailToDelete), .onTapDelete("b"), .make(.didFailToDelete),
      .onTapDelete("c"), .didFetchAgain([.a, .b, .c]), .didFetchAgain([.a, .b, .c]),
      in: .fetched
    )

    #expect(outcome == Outcome(state: .make([.a, .b], status: .failure(error: "Locked"))))
  }

  @Test func `a refresh that takes a quake away is not undone by a reading`() {
    let outcome = self.outcome(
      of: .onTapDelete("a"), .make(.didFailToDelete), .onTapRefresh,
      .didFetchRemote([.make("b", magnitude: 0)]), .didFetchAgain([.a, .b]),
      in: .make([.a, .b], status: .success)
    )

    #expect(outcome == Outcome(state: .make([.a], status: .failure(error: "Locked"))))
  }

  @Test func `a quake that came back while a refresh is under way gets its news`() {
    let news = Quake.make("a", magnitude: 5)

    let outcome = self.outcome(
      of: .onTapRefresh, .onTapDelete("a"), .make(.didFailToDelete), .didFetchAgain([.a]),
      .didFetchRemote([news]),
      in: .make([.a], status: .success)
    )

    #expect(outcome == Outcome(state: .make([news], status: .failure(error: "Locked"))))
  }

  @Test(arguments: [ActionKind.didFailToSave, .didFailToDelete, .didFetchAgain])
  func `a write that fails during a fetch leaves it waiting, and shows after it`(
    kind: ActionKind
  ) throws {
    let error = kind == .didFailToSave ? "Full" : "Locked"

    let during = self.outcome(of: .make(kind), in: .make([.a, .b, .c], status: .waiting))
    let isToBeRead = kind == .didFailToDelete
    var ended = during.state
    if isToBeRead { ended = self.outcome(of: .didFetchAgain([]), in: ended).state }
    let after = self.outcome(of: .didFetchRemote([.d]), in: ended)
    let afterFailure = self.outcome(of: .make(.didFetchRemoteFailure), in: ended)

    #expect(
      during
        == Outcome(
          state: .make(
            [.a, .b, .c], status: .waiting, failure: error, rereads: isToBeRead ? [.init()] : [])
        )
    )
    #expect(
      after
        == Outcome(
          state: .make([.a, .b, .c, .d], status: .failure(error: error))
        )
    )
    #expect(
      afterFailure
        == Outcome(
          state: .make([.a, .b, .c], status: .failure(error: "\(error) Net"))
        )
    )
  }
}
