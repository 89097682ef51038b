import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import QuakesData

/// Random actions of the guide, in random states: what the guide says must come of them.
struct GuideReducerTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `the reducer and the filter do what the guide's do`(seed: UInt64) throws {
    var random = Random(generator: SeededGenerator(seed: seed))

    for _ in 1...30 {
      var state = random.state()
      for _ in 1...20 {
        let (old, action) = (state, random.action())
        var guide = Guide(old)
        let error = guide.reduce(action)

        do {
          state = try QuakesReducer.reduce(state: old, action: action)
          #expect(error == nil, "\(action) in \(old)")
        } catch let thrown as QuakesReducer.Error {
          #expect(thrown.code == error, "\(action) in \(old)")
        }

        #expect(Guide(state) == guide, "\(action) in \(old)")
        #expect(
          QuakesFilter.filterQuakes()(old, action) == Guide.filter(action),
          "\(action) in \(old)")
      }
    }
  }
}

private struct Guide: Equatable {
  var data: [Quake.ID: Quake] = [:]
  var status: Status?

  init(_ state: QuakesState) {
    for (id, quake) in state.quakes.data { self.data[id] = quake }
    self.status = state.quakes.status
  }

  /// - Returns: Why it is refused.
  mutating func reduce(_ action: QuakesAction) -> QuakesReducer.Error.Code? {
    switch action {
    case .ui(.quakeList(.onAppear)):
      self.status = self.status ?? .waiting
    case .ui(.quakeList(.onTapRefreshQuakesButton)):
      self.status = .waiting
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton(let id))):
      guard self.data[id] != nil else { return .quakeNotFound }
      self.data[id] = nil
    case .ui(.quakeList(.onTapDeleteAllQuakesButton)):
      self.data = [:]
    case .data(.persistentSession(.localStore(.didFetchQuakes(.success(let quakes))))):
      for quake in quakes { self.data[quake.id] = quake }
      self.status = .success
    case .data(.persistentSession(.remoteStore(.didFetchQuakes(.success(let quakes))))):
      for quake in quakes { self.data[quake.id] = .zero < quake.magnitude ? quake : nil }
      self.status = .success
    case .data(.persistentSession(.localStore(.didFetchQuakes(.failure(let error))))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(.failure(let error))))):
      self.status = .failure(error: error)
    default:
      Issue.record("The guide has no \(action).")
    }
    return nil
  }

  static func filter(_ action: QuakesAction) -> Bool {
    switch action {
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)),
      .ui(.quakeList(.onTapDeleteAllQuakesButton)),
      .data(.persistentSession(.localStore(.didFetchQuakes(.success)))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(.success)))):
      true
    default: false
    }
  }
}

private struct Random {
  var generator: SeededGenerator

  private mutating func element<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &self.generator)!
  }

  private mutating func id() -> Quake.ID { self.element(["a", "b", "c"]) }

  private mutating func quakes() -> [Quake] {
    (0..<Int.random(in: 0...4, using: &self.generator)).map { _ in
      .make(
        self.id(), magnitude: self.element([-1, 0, 0.1, 5]),
        updated: .day + Int.random(in: 0...2, using: &self.generator))
    }
  }

  mutating func state() -> QuakesState {
    var state = QuakesState()
    for quake in self.quakes() { state.quakes.data[quake.id] = quake }
    state.quakes.status = self.element([
      nil, .empty, .waiting, .success, .failure(error: "before"),
    ])
    return state
  }

  mutating func action() -> QuakesAction {
    let (id, quakes) = (self.id(), self.quakes())
    return self.element([
      .ui(.quakeList(.onAppear)),
      .ui(
        .quakeList(
          .onTapRefreshQuakesButton(
            range: self.element([.allHour, .allDay, .allWeek, .allMonth])))),
      .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: id))),
      .ui(.quakeList(.onTapDeleteAllQuakesButton)),
      .data(
        .persistentSession(.localStore(.didFetchQuakes(result: .success(quakes: quakes))))),
      .data(.persistentSession(.localStore(.didFetchQuakes(result: .failure(error: "now"))))),
      .data(
        .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: quakes))))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: "now"))))),
    ])
  }
}
