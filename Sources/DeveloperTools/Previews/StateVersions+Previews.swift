import ImmutableUI

extension StateVersions: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Now", in: .recorded) { StateVersions(product: "Sample", id: nil, since: nil) },
      Preview("Two actions", in: .recorded) { StateVersions(product: "Sample", id: 2, since: 1) },
      Preview("No action", in: .empty) { StateVersions(product: "Sample", id: nil, since: nil) },
    ]
  }
}
