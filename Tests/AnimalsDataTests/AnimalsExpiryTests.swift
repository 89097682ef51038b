import Foundation
import HashTreeCollections
import Testing

@testable import AnimalsData

/// The statuses of operations that ended long ago are forgotten, whoever ran them.
struct AnimalsExpiryTests {
  private let limit = AnimalsReducer.statusLimit

  private func state(
    after actions: some Sequence<AnimalsAction>,
    from state: AnimalsState = .make(animals: [.cat, .dog])
  ) throws -> AnimalsState {
    try actions.reduce(state) { try AnimalsReducer.reduceOrRefuse(state: $0, action: $1) }
  }

  private func ends(_ numbers: Range<Int>) -> some Sequence<AnimalsAction> {
    numbers.lazy.map { number in
      number.isMultiple(of: 2)
        ? .make(.didAddFailure, id: "\(number)")
        : .did(.didAddAnimal(id: "\(number)", result: .success(animal: .newt)))
    }
  }

  private func ids(_ numbers: Range<Int>) -> Set<String> { Set(numbers.map { "\($0)" }) }

  @Test func `the oldest statuses are forgotten at twice the limit`() throws {
    let before = try self.state(after: self.ends(0..<2 * self.limit - 1))
    #expect(Set(before.animals.queue.keys) == self.ids(0..<2 * self.limit - 1))

    let after = try self.state(after: self.ends(2 * self.limit - 1..<2 * self.limit), from: before)

    #expect(Set(after.animals.queue.keys) == self.ids(self.limit..<2 * self.limit))
  }

  @Test func `an animal with several operations keeps its newest status`() throws {
    var state = try self.state(after: [.make(.didUpdateFailure, id: "Cat")])
    state = try self.state(after: self.ends(1..<2 * self.limit - 1), from: state)

    state = try self.state(after: [.make(.didDelete, id: "Cat", animal: .cat)], from: state)

    #expect(state.animals.queue["Cat"] == .success)
    #expect(state.animals.queue.count == self.limit)
  }

  @Test func `a waiting operation is not forgotten`() throws {
    var state = try self.state(after: [.make(.didUpdateFailure, id: "Cat")])
    state = try self.state(
      after: [.make(.animalListOnTapDelete, id: "Cat")] + Array(self.ends(0..<4 * self.limit)),
      from: state
    )
    #expect(state.animals.queue["Cat"] == .waiting)

    state = try self.state(after: [.make(.didUpdateFailure, id: "Cat")], from: state)
    #expect(state.animals.queue["Cat"] != .waiting)
    state = try self.state(after: self.ends(0..<2 * self.limit), from: state)

    #expect(state.animals.queue["Cat"] == nil)
  }

  @Test func `the bound holds for a server that joins with another's state`() throws {
    var state = try self.state(after: [])
    for batch in 0..<20 {
      // A server reads a snapshot, in the middle of a generation, and the one before it has gone.
      state = try JSONDecoder().decode(AnimalsState.self, from: try JSONEncoder().encode(state))
      state = try self.state(after: self.ends(batch * 700..<(batch + 1) * 700), from: state)
      #expect(state.animals.queue.count < 2 * self.limit)
      #expect(state.animals.added.count < self.limit)
    }
    #expect(self.ids(13_000..<14_000).isSubset(of: state.animals.queue.keys))
  }

  @Test func `statuses from an older release's state are forgotten too`() throws {
    let state = try self.state(after: self.ends(0..<self.limit))
    let data = try JSONEncoder().encode(state)
    var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    var animals = try #require(object["animals"] as? [String: Any])
    #expect(animals.removeValue(forKey: "ended") != nil)
    object["animals"] = animals
    let old = try JSONDecoder().decode(
      AnimalsState.self, from: try JSONSerialization.data(withJSONObject: object))
    #expect(old.animals.queue.count == self.limit)

    let after = try self.state(after: self.ends(5 * self.limit..<7 * self.limit), from: old)

    let ids = Set(after.animals.queue.keys)
    #expect(ids.isDisjoint(with: self.ids(0..<self.limit)))
    #expect(ids.isSuperset(of: self.ids(6 * self.limit..<7 * self.limit)))
    #expect(ids.count < 2 * self.limit)
  }
}
