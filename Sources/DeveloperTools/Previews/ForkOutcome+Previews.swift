import ImmutableUI

extension ForkOutcome: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("The same", in: .recorded) { ForkOutcome(ForkPlan(from: 1), url: "") },
      Preview("One skipped", in: .recorded) {
        ForkOutcome(ForkPlan(from: 1, skipped: [1]), url: "/counter")
      },
    ]
  }
}
