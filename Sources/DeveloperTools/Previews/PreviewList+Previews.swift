import ImmutableUI

extension PreviewList: Previewed {
  static let surroundings = Surroundings.page

  static var previews: [Preview<Self>] {
    [
      Preview("None yet", in: .empty) { PreviewList(previews: [], missing: []) },
      Preview("Some", in: .empty) { PreviewList(previews: PreviewLink.samples, missing: []) },
      Preview("A component without one", in: .empty) {
        PreviewList(previews: PreviewLink.samples, missing: ["SampleUI.RowList"])
      },
    ]
  }
}

extension PreviewLink {
  static let samples = [
    ("SampleUI", "Content", "Empty"), ("SampleUI", "Content", "Full"),
    ("SampleUI", "Number", "Zero"),
  ].map { PreviewLink(module: $0, component: $1, name: $2, path: "/previews/\($0)/\($1)/\($2)") }
}
