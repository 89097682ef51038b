import ImmutableUI

extension QuakeScopes: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("Newest", in: .sample, QuakeScopes.init),
      Preview("Largest, of moderate ones", in: .sample, QuakeScopes.init) {
        $0.sortParameter = .magnitude
        $0.minimumMagnitude = .moderate
      },
    ]
  }
}
