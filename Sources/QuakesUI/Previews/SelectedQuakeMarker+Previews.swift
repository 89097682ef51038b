import ImmutableUI

extension SelectedQuakeMarker: Previewed {
  static let surroundings = Surroundings.world

  static var previews: [Preview<Self>] {
    [
      Preview("Selected", in: .sample, SelectedQuakeMarker.init) { $0.mapSelection = "us2" },
      Preview("Nothing selected", in: .sample, SelectedQuakeMarker.init),
    ]
  }
}
