import ImmutableUI

extension DeveloperStates: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("No product chosen", in: .recorded),
      Preview("A product", in: .recorded) { $0.product = "Sample" },
      Preview("After an action", in: .recorded) {
        $0.product = "Sample"
        $0.at = 1
      },
    ]
  }
}
