import QuakesData
import Testing

struct QuakeTests {
  @Test func `the samples match the guide`() {
    let samples: [Quake] = [
      .xxsmall, .xsmall, .small, .medium, .large, .xlarge, .xxlarge, .xxxlarge,
    ]

    #expect(
      samples.map(\.id) == [
        "xxsmall", "xsmall", "small", "medium", "large", "xlarge", "xxlarge", "xxxlarge",
      ]
    )
    #expect(samples.map(\.magnitude) == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
    #expect(samples.allSatisfy { $0.name == "West of California" })
    #expect(samples.allSatisfy { $0.longitude == -125 && $0.latitude == 35 })
  }
}
