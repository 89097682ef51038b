import ImmutableUI

extension QuakeMap: Previewed {
  static let surroundings = Surroundings.map

  static var previews: [Preview<Self>] {
    [
      Preview("The world", in: .sample, QuakeMap.init(local:)),
      Preview("An earthquake", in: .sample, QuakeMap.init(local:)) {
        $0.mapSelection = "us2"
        $0.camera = .on(MapPoint(x: -84, y: -10))
      },
      Preview("No earthquakes", in: .empty, QuakeMap.init(local:)),
    ]
  }
}
