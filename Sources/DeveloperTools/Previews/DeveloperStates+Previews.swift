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
      Preview("Changes between two actions", in: .recorded) {
        $0.product = "Sample"
        $0.since = 1
        $0.at = 2
      },
    ]
  }
}
