import ImmutableUI

extension CostFrame: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("A frame", in: .recorded) { CostFrame(product: nil, id: 2) },
      Preview("No longer kept", in: .recorded) { CostFrame(product: nil, id: 7) },
      Preview("None yet", in: .empty) { CostFrame(product: nil, id: nil) },
    ]
  }
}
