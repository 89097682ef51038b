import ImmutableUI

extension QuakeDate: Previewed {
  static let surroundings = Surroundings.days

  static var previews: [Preview<Self>] {
    [
      Preview("Today", in: .sample, QuakeDate.init),
      Preview("Another day", in: .sample, QuakeDate.init) {
        $0.searchDate = CalendarDay("2018-02-05")
      },
      Preview("No earthquakes", in: .empty, QuakeDate.init),
    ]
  }
}
