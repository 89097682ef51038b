import ImmutableUI
import TestSupport
import Testing

@testable import ImmutableRuntime

struct TurnsTests {
  private let gate = Gate()
  private let order = Transcript<String>()

  /// Takes the turn, and keeps it until the gate opens.
  private func hold(_ turns: Turns) async -> Task<Void, any Error> {
    let taken = Gate()
    let task = Task {
      try await turns.take(Requester()) {
        taken.open()
        await self.gate.wait()
      }
    }
    await taken.wait()
    return task
  }

  /// Asks for a turn, and waits until it is in its line.
  private func ask(
    _ turns: Turns, _ name: String, _ requester: Requester
  ) async -> Task<Void, any Error> {
    let count = turns.waitingCount
    let task = Task {
      try await turns.take(requester) { self.order.append(name) }
    }
    while turns.waitingCount == count { await letOthersGoOn() }
    return task
  }

  @Test func `addresses take turns, and the sessions of each`() async throws {
    let turns = Turns(patience: .seconds(100))
    let held = await self.hold(turns)
    let (first, second) = (Identifier(), Identifier())
    var tasks = [held]
    for number in 1...3 {
      tasks.append(await self.ask(turns, "new \(number)", Requester(network: "a")))
    }
    for number in 1...2 {
      tasks.append(
        await self.ask(turns, "first \(number)", Requester(network: "a", session: first)))
    }
    tasks.append(await self.ask(turns, "second 1", Requester(network: "a", session: second)))
    tasks.append(await self.ask(turns, "other 1", Requester(network: "b")))
    tasks.append(await self.ask(turns, "other 2", Requester(network: "b")))

    self.gate.open()
    for task in tasks { try await task.value }

    #expect(
      self.order.entries == [
        "new 1", "other 1", "first 1", "other 2", "second 1", "new 2", "first 2", "new 3",
      ])
    #expect(turns.waitingCount == 0)
  }

  @Test func `nothing is rendered for clients that have gone or waited too long`() async throws {
    let turns = Turns(patience: .milliseconds(20))
    let held = await self.hold(turns)
    let gone = await self.ask(turns, "gone", Requester(isPatient: true, hasGone: { true }))
    let late = await self.ask(turns, "late", Requester())
    let patient = await self.ask(turns, "patient", Requester(isPatient: true))

    try await Task.sleep(for: .milliseconds(30))
    self.gate.open()
    try await held.value
    try await patient.value

    for task in [gone, late] {
      await #expect { try await task.value } throws: { ($0 as? WindowError)?.code == .overloaded }
    }
    #expect(self.order.entries == ["patient"])
  }

  @Test func `an error passes the turn on`() async throws {
    struct Failure: Error {}
    let turns = Turns(patience: .seconds(100))

    await #expect(throws: Failure.self) {
      try await turns.take(Requester()) { throw Failure() }
    }

    #expect(try await turns.take(Requester()) { 1 } == 1)
  }
}
