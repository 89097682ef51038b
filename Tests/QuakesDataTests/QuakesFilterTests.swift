import Foundation
import HashTreeCollections
import TestSupport
import Testing

@testable import QuakesData

private let day = Date.day..<(Date.day + 24)
private let fetches: Set<ActionKind> = [
  .didFetchLocal, .didFetchAgain, .didFetchRemote, .didChangeElsewhere,
]

struct QuakesFilterTests {
  @Test(arguments: ActionKind.allCases)
  func `the list of actions covers every kind`(kind: ActionKind) {
    #expect(ActionKind(of: .make(kind)) == kind)
  }

  @Test(arguments: [QuakesState.fetched, .make()])
  func `exactly the actions that can change quakes pass`(state: QuakesState) {
    let filter = QuakesFilter.filterQuakes()

    let passed = ActionKind.allCases.filter { filter(state, .make($0)) }

    #expect(
      Set(passed)
        == fetches.union([.onTapDeleteSelected, .onTapDeleteAll, .onTapRestore, .onTapRestoreAll]))
  }

  @Test func `an action that a filter refuses never changes what its selector depends on`() {
    let seed = UInt64.random(in: .min ... .max)
    print("QuakesFilterTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let filter = QuakesFilter.filterQuakes()
    var refusals = 0

    for _ in 0..<5_000 {
      let state = QuakesState.random(using: &generator)
      let action = QuakesAction.random(using: &generator)
      guard let newState = try? QuakesReducer.reduce(state: state, action: action) else {
        continue
      }

      if filter(state, action) == false {
        refusals += 1
        #expect(state.quakes.data == newState.quakes.data, "\(action); seed \(seed)")
      }
    }

    #expect(refusals > 0)
  }
}

// Few ids, so that actions meet what is there.
extension QuakesAction {
  fileprivate static func random(using generator: inout SeededGenerator) -> Self {
    .make(
      ActionKind.allCases.randomElement(using: &generator)!,
      id: allIds.randomElement(using: &generator)!,
      quakes: Quake.randoms(using: &generator)
    )
  }
}

private let allIds = ["a", "b", "c", "d", "e"]

extension QuakesState {
  fileprivate static func random(using generator: inout SeededGenerator) -> Self {
    let statuses: [Status?] = [nil, .empty, .waiting, .success, .failure(error: "Disk")]
    return .make(
      Quake.randoms(using: &generator),
      status: statuses.randomElement(using: &generator)!
    )
  }
}

extension Quake {
  /// Some, of different ids.
  fileprivate static func randoms(using generator: inout SeededGenerator) -> [Self] {
    var quakes: [Self] = []
    for id in allIds where Bool.random(using: &generator) {
      quakes.append(
        .make(
          id,
          magnitude: Double(Int.random(in: -1...2, using: &generator)),
          time: Date.day + [-1, 0, 12, 24].randomElement(using: &generator)!,
          name: ["Alaska", "Chile"].randomElement(using: &generator)!
        )
      )
    }
    return quakes
  }
}
