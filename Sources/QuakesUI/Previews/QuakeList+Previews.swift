import ImmutableUI

extension QuakeList: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("A day", in: .sample, QuakeList.init(local:)),
      Preview("Found", in: .sample, QuakeList.init(local:)) { $0.searchText = "alaska" },
      Preview("Nothing found", in: .sample, QuakeList.init(local:)) { $0.searchText = "atlantis" },
      Preview("No earthquakes", in: .empty, QuakeList.init(local:)),
      Preview("Waiting", in: .waiting, QuakeList.init(local:)),
      Preview("Refreshing", in: .refreshing, QuakeList.init(local:)),
      Preview("Failed", in: .failed, QuakeList.init(local:)),
      Preview("Long names", in: .longName, QuakeList.init(local:)),
    ]
  }
}
