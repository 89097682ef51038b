import ImmutableUI

extension QuakeMapFit: Previewed {
  static let surroundings = Surroundings.map

  static var previews: [Preview<Self>] {
    [
      Preview("A search", in: .sample, QuakeMapFit.init) { $0.searchText = "alaska" },
      Preview("No search", in: .sample, QuakeMapFit.init),
    ]
  }
}
