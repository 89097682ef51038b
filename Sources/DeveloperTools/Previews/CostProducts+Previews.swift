import ImmutableUI

extension CostProducts: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("All", in: .recorded) { CostProducts(product: nil) },
      Preview("One", in: .recorded) { CostProducts(product: "Sample") },
    ]
  }
}
