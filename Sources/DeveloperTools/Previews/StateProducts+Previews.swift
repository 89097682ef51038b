import ImmutableUI

extension StateProducts: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("None chosen", in: .recorded) { StateProducts(product: nil) },
      Preview("One", in: .recorded) { StateProducts(product: "Sample") },
    ]
  }
}
