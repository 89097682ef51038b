import ImmutableUI

extension QuakeCharts: Previewed {
  static let surroundings = Surroundings.charts

  static var previews: [Preview<Self>] {
    [
      Preview("A day", in: .sample, QuakeCharts.init),
      Preview("Many earthquakes", in: .hundred, QuakeCharts.init),
      Preview("Nothing to draw", in: .empty, QuakeCharts.init),
    ]
  }
}
