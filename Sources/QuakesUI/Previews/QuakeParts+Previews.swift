import ImmutableUI

extension QuakeParts: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("One of several", in: .many, QuakeParts.init),
      Preview("The selected one is elsewhere", in: .many, QuakeParts.init) {
        $0.listSelection = "us0"
      },
      Preview("All in one", in: .sample, QuakeParts.init),
    ]
  }
}

extension QuakeParts {
  fileprivate init(_ local: QuakesLocal) {
    self.init(
      search: local.search, sort: local.sort, from: local.firstRow, selection: local.listSelection)
  }
}
