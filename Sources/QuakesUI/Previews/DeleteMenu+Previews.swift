import ImmutableUI

extension DeleteMenu: Previewed {
  static let surroundings = Surroundings.tools

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing selected", in: .sample, DeleteMenu.init),
      Preview("Selected", in: .sample, DeleteMenu.init) { $0.listSelection = "us2" },
      Preview("Selected, but not in the list", in: .sample, DeleteMenu.init) {
        $0.listSelection = "us2"
        $0.searchText = "alaska"
      },
      Preview("No earthquakes", in: .empty, DeleteMenu.init),
    ]
  }
}
