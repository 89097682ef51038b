import Testing

@testable import Replication

struct DecisionsTests {
  private struct SoldOut: Error, Equatable {
    var what = ""
  }

  @Test func `an answer is remembered if it is short`() {
    var decisions = Decisions()

    decisions.refuse(1, SoldOut(what: "tea"))
    decisions.refuse(2, SoldOut(what: String(repeating: "tea", count: 1_000)))

    #expect(throws: SoldOut(what: "tea")) { try decisions.check(1) }
    #expect { try decisions.check(2) } throws: { ($0 as? ReplicaError)?.code == .refused }
  }

  @Test func `the oldest decisions are forgotten`() {
    var decisions = Decisions()

    for sequence in 1...20_000 { decisions.refuse(UInt64(sequence), SoldOut()) }

    #expect { try decisions.check(10_000) } throws: {
      ($0 as? ReplicaError)?.code == .forgotten
    }
    #expect(throws: SoldOut()) { try decisions.check(10_001) }
    #expect(throws: Never.self) { try decisions.check(20_001) }
  }
}
