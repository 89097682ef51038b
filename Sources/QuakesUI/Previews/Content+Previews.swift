public import ImmutableUI
import QuakesData

extension Content: Previewed {
  public static var previews: [Preview<Self>] {
    [
      Preview("A day", in: .sample),
      Preview("An earthquake", in: .sample) {
        $0.listSelection = "us2"
        $0.mapSelection = "us2"
        $0.camera = .on(MapPoint(x: -84, y: -10))
      },
      Preview("Charts", in: .sample) { $0.showsCharts = true },
      Preview("The stronger ones", in: .sample) { $0.minimumMagnitude = .moderate },
      Preview("Nothing found", in: .sample) { $0.searchText = "atlantis" },
      Preview("No earthquakes", in: .empty),
      Preview("Waiting", in: .waiting),
      Preview("Failed", in: .failed),
    ]
  }
}
