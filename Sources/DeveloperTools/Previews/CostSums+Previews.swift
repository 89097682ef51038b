import ImmutableUI

extension CostSums: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Frames", in: .recorded) { CostSums(product: nil) },
      Preview("None yet", in: .empty) { CostSums(product: nil) },
    ]
  }
}
