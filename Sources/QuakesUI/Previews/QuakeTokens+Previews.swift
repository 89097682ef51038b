import ImmutableUI

extension QuakeTokens: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("All", in: .sample, QuakeTokens.init),
      Preview("Of a magnitude", in: .sample, QuakeTokens.init) { $0.minimumMagnitude = .light },
      Preview("A long search of strong ones", in: .sample, QuakeTokens.init) {
        $0.searchText = "South-southwest of the Kermadec Islands"
        $0.minimumMagnitude = .moderate
      },
    ]
  }
}
