import ImmutableUI

extension QuakeMarkers: Previewed {
  static let surroundings = Surroundings.world

  static var previews: [Preview<Self>] {
    [
      Preview("A day", in: .sample, QuakeMarkers.init),
      Preview("Two in one place", in: .longName, QuakeMarkers.init),
      Preview("None", in: .empty, QuakeMarkers.init),
    ]
  }
}
