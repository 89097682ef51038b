import ImmutableUI

extension StatePartList: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("A state", in: .recorded) {
        StatePartList(product: "Sample", id: nil, path: Path(), start: 0)
      },
      Preview("A long list", in: .recorded) {
        StatePartList(product: "Sample", id: nil, path: Path("/numbers") ?? Path(), start: 0)
      },
      Preview("Nothing there", in: .empty) {
        StatePartList(product: "Sample", id: nil, path: Path(), start: 0)
      },
    ]
  }
}
