import ImmutableUI

extension DeveloperFork: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("No action chosen", in: .recorded),
      Preview("A fork", in: .recorded) { $0.plan = ForkPlan(from: 1) },
    ]
  }
}
