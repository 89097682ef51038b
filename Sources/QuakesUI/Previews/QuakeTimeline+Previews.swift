import ImmutableUI

extension QuakeTimeline: Previewed {
  static let surroundings = Surroundings.map

  static var previews: [Preview<Self>] {
    [
      Preview("Whole day", in: .sample, QuakeTimeline.init(_:)),
      Preview("Until noon", in: .sample, QuakeTimeline.init(_:)) { $0.until = ClockTime("1200") },
    ]
  }
}

extension QuakeTimeline {
  /// The local state that it shows is late.
  fileprivate init(_ local: QuakesLocal) {
    self.init()
  }
}
