import Testing

@testable import ImmutableData

@MainActor struct ForeignEffectsTests {
  private static func entry(of node: String, isWanted: Bool = true) -> ForeignEffects.Entry {
    ForeignEffects.Entry(node: node, isWanted: { isWanted }, run: {})
  }

  @Test func `effects of large actions are forgotten when they take too much memory`() {
    var effects = ForeignEffects()

    for number in 0..<100 { effects.add(Self.entry(of: "\(number)"), bytes: 16 << 20) }

    #expect(effects.bytes <= 64 << 20)
    #expect((1...4).contains(effects.count))
    #expect(effects.nodes(forgetting: .seconds(60)).contains("99"))
  }

  @Test func `thousands of small effects are kept, but their memory is bounded too`() {
    var effects = ForeignEffects()

    for _ in 0..<10_000 { effects.add(Self.entry(of: "a"), bytes: 100) }
    #expect(effects.count == 10_000)
    for _ in 0..<100_000 { effects.add(Self.entry(of: "a"), bytes: 0) }

    #expect(effects.bytes <= 64 << 20)
  }

  @Test func `effects that are too old are forgotten`() {
    var effects = ForeignEffects()
    effects.add(Self.entry(of: "old"), bytes: 100, age: .seconds(61))
    effects.add(Self.entry(of: "new"), bytes: 100, age: .seconds(30))

    #expect(effects.nodes(forgetting: .seconds(60)) == ["new"])
    #expect(effects.count == 1)
  }

  @Test func `effects that ended or were taken use no memory`() {
    var effects = ForeignEffects()
    effects.add(Self.entry(of: "a"), bytes: 100)
    effects.add(Self.entry(of: "b", isWanted: false), bytes: 100)
    let before = effects.bytes

    #expect(effects.nodes(forgetting: .seconds(60)) == ["a"])
    #expect(effects.bytes == before / 2)
    #expect(effects.take(of: "a").count == 1)

    #expect(effects.bytes == 0)
  }
}
