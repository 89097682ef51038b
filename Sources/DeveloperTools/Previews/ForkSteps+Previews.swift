import ImmutableUI

extension ForkSteps: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("As recorded", in: .recorded) { ForkSteps(ForkPlan(from: 1)) },
      Preview("One skipped, others moved", in: .recorded) {
        ForkSteps(ForkPlan(from: 1, skipped: [3], order: [2, 1]))
      },
      Preview("No longer recorded", in: .empty) { ForkSteps(ForkPlan(from: 1)) },
    ]
  }
}
