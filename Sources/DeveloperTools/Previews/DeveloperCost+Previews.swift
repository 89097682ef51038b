import ImmutableUI

extension DeveloperCost: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("The newest frame", in: .recorded),
      Preview("An older frame", in: .recorded) { $0.frame = 1 },
      Preview("No frames", in: .empty),
    ]
  }
}
