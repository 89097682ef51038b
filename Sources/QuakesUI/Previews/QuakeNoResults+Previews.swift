import ImmutableUI

extension QuakeNoResults: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("A search", in: .sample, QuakeNoResults.init) { $0.searchText = "atlantis" },
      Preview("A search of strong ones", in: .sample, QuakeNoResults.init) {
        $0.searchText = "atlantis"
        $0.minimumMagnitude = .moderate
      },
      Preview("Another day", in: .sample, QuakeNoResults.init) {
        $0.searchDate = CalendarDay("2018-02-01")
      },
      Preview("Something is found", in: .sample, QuakeNoResults.init),
    ]
  }
}
