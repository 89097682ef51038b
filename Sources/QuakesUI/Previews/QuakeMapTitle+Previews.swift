import ImmutableUI

extension QuakeMapTitle: Previewed {
  static let surroundings = Surroundings.map

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing selected", in: .sample, QuakeMapTitle.init),
      Preview("Selected", in: .sample, QuakeMapTitle.init) { $0.mapSelection = "us2" },
      Preview("Never felt, of unknown depth", in: .sample, QuakeMapTitle.init) {
        $0.mapSelection = "us6"
      },
      Preview("Long name", in: .longName, QuakeMapTitle.init) { $0.mapSelection = "us1" },
    ]
  }
}
