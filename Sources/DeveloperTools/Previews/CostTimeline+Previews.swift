import ImmutableUI

extension CostTimeline: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Frames", in: .recorded) { CostTimeline(product: nil, id: nil) },
      Preview("An older frame", in: .recorded) { CostTimeline(product: "Sample", id: 1) },
      Preview("None of a product", in: .recorded) { CostTimeline(product: "Other", id: nil) },
    ]
  }
}
