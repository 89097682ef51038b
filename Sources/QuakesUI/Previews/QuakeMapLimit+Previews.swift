import ImmutableUI

extension QuakeMapLimit: Previewed {
  static let surroundings = Surroundings.map

  static var previews: [Preview<Self>] {
    [
      Preview("The strongest of many", in: .many, QuakeMapLimit.init),
      Preview("All", in: .sample, QuakeMapLimit.init),
    ]
  }
}
