import ImmutableUI

extension LogProducts: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("All", in: .recorded) { LogProducts(product: nil) },
      Preview("One", in: .recorded) { LogProducts(product: "Sample") },
    ]
  }
}
