import ImmutableUI

extension CostSums: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Frames", in: .recorded) { CostSums(product: nil) },
      Preview("None yet", in: .empty) { CostSums(product: nil) },
    ]
  }
}
