import ImmutableUI

extension StateChangeList: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Until now", in: .recorded) {
        StateChangeList(product: "Sample", since: 1, to: nil)
      },
      Preview("Equal states", in: .recorded) {
        StateChangeList(product: "Sample", since: 1, to: 1)
      },
      Preview("No longer recorded", in: .recorded) {
        StateChangeList(product: "Sample", since: 99, to: 1)
      },
    ]
  }
}
