import Testing

@testable import ImmutableUI

struct FrameTimesTests {
  /// Takes some time.
  private static func work() -> Int {
    (0..<10_000).reduce(0) { $0 &* 31 &+ $1 }
  }

  @Test func `a part's time excludes its nested parts`() {
    let times = FrameTimes()

    let elapsed = ContinuousClock().measure {
      _ = times.measure(
        {
          (0..<3).reduce(0) { sum, _ in
            sum &+ times.measure(Self.work, as: { _ in .difference(region: "list", page: "/") })
          }
        },
        as: { _ in .write(page: nil) }
      )
    }

    let durations = times.samples.map(\.duration)
    #expect(durations.count == 4)
    #expect(durations.allSatisfy { $0 >= .zero })
    // With what is in it, the outer part would make that about twice as much.
    #expect(durations.reduce(.zero, +) <= elapsed)
  }

  @Test func `nothing is measured without a listener`() {
    let times: FrameTimes? = nil
    var isAsked = false
    func part() -> FrameTimes.Part {
      isAsked = true
      return .write(page: nil)
    }

    let result = times.measure(part()) { 7 }

    #expect(result == 7)
    #expect(isAsked == false)
  }
}
