import Foundation
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
  func `a refresh begins and keeps existing quakes`(status: Status?) {
    let outcome = self.outcome(of: .onTapRefresh, in: .make([.a], status: status, skipped: 3))

    #expect(outcome == Outcome(state: .make([.a], status: .waiting)))
  }

  @Test(arguments: statuses)
  func `a failure can be dismissed, and nothing else changes`(status: Status?) {
    let outcome = self.outcome(
      of: .make(.onTapDismissFailure), in: .make([.a], status: status, skipped: 3))

    let isFailure = status?.error != nil
    #expect(outcome == Outcome(state: .make([.a], status: isFailure ? .empty : status, skipped: 3)))
  }

  @Test func `a refresh does not disturb a running fetch`() {
    let state = QuakesState.make(
      [.a],
      status: .waiting,
      skipped: 3
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
  func `a missing quake cannot be deleted`(status: Status?) {
    let state = QuakesState.make([.b], status: status)

    let outcome = self.outcome(of: .onTapDelete("a"), in: state)

    #expect(outcome == Outcome(state: state, code: .quakeNotFound))
  }

  @Test(arguments: endedStatuses)
  func `all quakes are deleted at once`(status: Status?) {
    let outcome = self.outcome(of: .onTapDeleteAll, in: .make([.a, .b], status: status))

    #expect(outcome == Outcome(state: .make(status: status)))
  }

  @Test(arguments: endedStatuses)
  func `quakes deleted together are restored together`(status: Status?) throws {
    let state = try self.reduce(.make([.a, .b], status: status), .onTapDeleteAll)
    #expect(state.quakes.deleted(by: 1).count == 2)

    let restored = try self.reduce(state, .onTapRestoreAll(1))

    #expect(restored == .make([.a, .b], status: status))
    #expect(restored.quakes.deleted(by: 1) == [])
  }

  @Test func `restoring all keeps newer versions fetched since the deletion`() throws {
    let newer = Quake.make("b", magnitude: 5)
    let state = try self.reduce(
      .make([.a, .b]), .onTapDeleteAll, .didFetchRemote([newer, .c]), .onTapRestoreAll(1))

    #expect(state == .make([.a, newer, .c], status: .success))
  }

  @Test func `only the newest deletion of all can be restored, and only once`() throws {
    let state = try self.reduce(
      .make([.a]), .onTapDeleteAll, .onTapDeleteAll, .didFetchRemote([.b]), .onTapDeleteAll)

    #expect(try self.reduce(state, .onTapRestoreAll(1)) == .make(status: .success))
    #expect(try self.reduce(state, .onTapRestoreAll(2)) == .make([.b], status: .success))
    #expect(
      try self.reduce(state, .onTapRestoreAll(2), .onTapDelete("b"), .onTapRestoreAll(2))
        == .make(status: .success))
  }

  @Test func `without a database the state remembers deleted quakes`() throws {
    var state = try self.reduce(
      QuakesState(remembersDeleted: true), .didFetchRemote([.a, .b, .c]), .onTapDelete("a"))
    #expect(state.quakes.deletedIDs.ids == ["a"])

    state = try self.reduce(state, .onTapDeleteAll)
    #expect(state.quakes.deletedIDs.ids == ["a", "b", "c"])

    state = try self.reduce(state, .onTapRefresh, .didFetchRemote([.b]), .onTapRestoreAll(1))
    #expect(state.quakes.deletedIDs.ids == ["a"])
    let forgetful = try self.reduce(QuakesState(), .didFetchRemote([.a]), .onTapDelete("a"))
    #expect(forgetful.quakes.deletedIDs.ids == [])
  }

  @Test func `a quake that was restored is updated by a scheduled refresh again`() throws {
    let newer = Quake.make("a", magnitude: 5)
    let restored = try self.reduce(
      QuakesState(remembersDeleted: true), .didFetchRemote([.a, .b]), .onTapDelete("a"),
      .make(.onTapRestore))

    let scheduled = try self.reduce(restored, .didFetchRemote([newer, .b]))

    #expect(restored.quakes.deletedIDs.ids == [])
    #expect(scheduled.quakes.data == ["a": newer, "b": .b])
  }

  @Test func `only a requested refresh brings back quakes deleted since it began`() throws {
    let state = try self.reduce(
      QuakesState(remembersDeleted: true), .didFetchRemote([.a, .b]), .onTapDelete("a"))

    let scheduled = try self.reduce(state, .didFetchRemote([.a, .c]))
    let requested = try self.reduce(state, .onTapRefresh, .didFetchRemote([.a, .c]))

    #expect(scheduled.quakes.data == ["b": .b, "c": .c])
    #expect(scheduled.quakes.deletedIDs.ids == ["a"])
    #expect(requested.quakes.data == ["a": .a, "b": .b, "c": .c])
  }

  /// Another server has deleted it since this one read the feed.
  @Test func `a scheduled refresh does not bring back a deleted quake under its new id`() throws {
    let old = Quake.make("a", magnitude: 0)
    let (far, newer) = (Quake.make("far", latitude: 40), Quake.make("b", magnitude: 3))
    let state = try self.reduce(
      QuakesState(remembersDeleted: true), .didFetchRemote([.a, .b]), .onTapDelete("a"))

    let scheduled = try self.reduce(state, .didFetchRemote([.d, far, newer, old]))
    let requested = try self.reduce(state, .onTapRefresh, .didFetchRemote([.d, old]))

    #expect(scheduled.quakes.data == ["b": newer, "far": far])
    #expect(requested.quakes.data == ["b": .b, "d": .d])
  }

  @Test func `only the newest of many deleted quakes are remembered`() throws {
    let quakes = (0...DeletedIDs.limit).map { number in
      Quake.make("\(number)", time: .day.addingTimeInterval(Double(number)))
    }

    let state = try self.reduce(
      QuakesState(remembersDeleted: true), .didFetchRemote(quakes), .onTapDeleteAll)

    let newest = (0...DeletedIDs.limit).suffix(DeletedIDs.limit * 3 / 4)
    #expect(state.quakes.deletedIDs.ids == Set(newest.map { "\($0)" }))
  }

  private func reduce(_ state: QuakesState, _ actions: QuakesAction...) throws -> QuakesState {
    try actions.reduce(state) { try QuakesReducer.reduce(state: $0, action: $1) }
  }
}

// What the stores answered.
extension QuakesReducerTests {
  @Test(arguments: statuses)
  func `quakes from the local store are merged with existing ones`(status: Status?) {
    let quake = Quake.make("b", magnitude: 5)

    let outcome = self.outcome(
      of: .didFetchLocal([quake, .c]),
      in: .make([.a, .b], status: status)
    )

    #expect(outcome == Outcome(state: .make([.a, quake, .c], status: .success)))
  }

  @Test(arguments: statuses)
  func `quakes from the remote store are merged with existing ones`(status: Status?) {
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
  func `a failed fetch keeps existing quakes`(kind: ActionKind, error: String) {
    let outcome = self.outcome(of: .make(kind), in: .make([.a], status: .waiting))

    #expect(outcome == Outcome(state: .make([.a], status: .failure(error: error))))
  }

  @Test(arguments: [0, -0.0, -0.01, -3, .nan, -.infinity])
  func `quakes of magnitude zero and below are removed and never added`(magnitude: Double) {
    let outcome = self.outcome(
      of: .didFetchRemote([.make("a", magnitude: magnitude), .make("c", magnitude: magnitude), .d]),
      in: .make([.a, .b], status: .waiting)
    )

    #expect(outcome == Outcome(state: .make([.b, .d], status: .success)))
  }

  @Test(
    arguments: [(1, 2), (2, 1), (2, 0), (0, 2)] as [(Double, Double)])
  func `the last of several quakes with one id counts`(first: Double, last: Double) {
    let quake = Quake.make("a", magnitude: last)

    let outcome = self.outcome(
      of: .didFetchRemote([.make("a", magnitude: first), .b, quake]),
      in: .make(status: .waiting)
    )

    #expect(outcome == Outcome(state: .make(last > 0 ? [quake, .b] : [.b], status: .success)))
  }

  @Test func `unchanged quakes leave the tree as it was`() throws {
    let state = QuakesState.make([.a, .b, .c], status: .waiting)
    // An index is good only for the tree of which it was taken.
    let index = try #require(state.quakes.data.index(forKey: "b"))

    let remote = try QuakesReducer.reduce(state: state, action: .didFetchRemote([.c, .b]))
    let local = try QuakesReducer.reduce(state: state, action: .didFetchLocal([.c, .b, .a]))

    #expect(remote.quakes.data[index].value == .b)
    #expect(local.quakes.data[index].value == .b)
  }

  @Test func `the skipped count stays until the next refresh`() {
    let skipped = self.outcome(
      of: .make(.didSkip), .didFetchRemote([.a]), in: .make(status: .waiting))
    let next = self.outcome(of: .onTapRefresh, .didFetchRemote([.a]), in: skipped.state)

    #expect(skipped == Outcome(state: .make([.a], status: .success, skipped: 3)))
    #expect(next == Outcome(state: .make([.a], status: .success)))
  }
}

// Writes that failed.
extension QuakesReducerTests {
  @Test(arguments: endedStatuses)
  func `a failed save shows and keeps its quakes`(status: Status?) {
    let outcome = self.outcome(of: .make(.didFailToSave), in: .make([.a], status: status))

    #expect(outcome == Outcome(state: .make([.a], status: .failure(error: "Full"))))
  }

  @Test(arguments: endedStatuses)
  func `a failed delete shows its error`(status: Status?) {
    let outcome = self.outcome(of: .make(.didFailToDelete), in: .make([.b], status: status))

    #expect(
      outcome
        == Outcome(
          state: .make([.b], status: .failure(error: "Locked"))
        )
    )
  }

  @Test func `a failed delete restores its quakes and keeps newer ones`() {
    let newer = Quake.make("b", magnitude: 5)

    let outcome = self.outcome(
      of: .make(.didFailToDelete), .didFetchAgain([.a, .b]),
      in: .make([newer, .d], status: .success)
    )

    #expect(
      outcome == Outcome(state: .make([.a, newer, .d], status: .failure(error: "Locked")))
    )
  }

  @Test func `a failed reread after a failed delete shows both errors`() {
    let outcome = self.outcome(
      of: .make(.didFailToDelete), .make(.didFetchAgainFailure),
      in: .make([.b], status: .success)
    )

    #expect(outcome == Outcome(state: .make([.b], status: .failure(error: "Locked Disk"))))
  }

  @Test func `missed quakes are merged with existing ones`() {
    let older = Quake.make("b", magnitude: 5)

    let outcome = self.outcome(
      of: .didFetchAgain([older, .c], after: nil), in: .make([.b], status: .waiting))

    #expect(outcome == Outcome(state: .make([.b, .c], status: .waiting)))
  }

  @Test(arguments: [
    ActionKind.didFailToSave, .didFailToDelete, .didFetchAgain, .didFetchAgainFailure,
  ])
  private func `a failure during a fetch leaves the fetch waiting`(kind: ActionKind) {
    let outcome = self.outcome(of: .make(kind), in: .make([.a, .b, .c], status: .waiting))

    #expect(outcome == Outcome(state: .make([.a, .b, .c], status: .waiting)))
  }
}
