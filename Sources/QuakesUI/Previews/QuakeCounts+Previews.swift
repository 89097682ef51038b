import ImmutableUI

extension QuakeCounts: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("A day", in: .sample, QuakeCounts.init),
      Preview("Found", in: .sample, QuakeCounts.init) { $0.searchText = "alaska" },
      Preview("None", in: .empty, QuakeCounts.init),
    ]
  }
}
