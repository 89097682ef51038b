import ImmutableUI

extension QuakeRows: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("A day", in: .sample, QuakeRows.init),
      Preview("Found", in: .sample, QuakeRows.init) { $0.searchText = "of" },
      Preview("Long names", in: .longName, QuakeRows.init),
      Preview("No earthquakes yet", in: .empty, QuakeRows.init),
      Preview("Waiting", in: .waiting, QuakeRows.init),
    ]
  }
}
