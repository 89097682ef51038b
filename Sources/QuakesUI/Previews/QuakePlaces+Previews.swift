import ImmutableUI

extension QuakePlaces: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("Of a day", in: .sample, QuakePlaces.init),
      Preview("None", in: .empty, QuakePlaces.init),
    ]
  }
}
