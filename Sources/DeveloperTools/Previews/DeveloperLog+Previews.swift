import ImmutableUI

extension DeveloperLog: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty),
      Preview("Some actions", in: .recorded),
      Preview("An action", in: .recorded) { $0.entry = 2 },
      Preview("A search", in: .recorded) { $0.search = "increment" },
      Preview("One product", in: .recorded) { $0.product = "Sample" },
      Preview("Only visits", in: .recorded) { $0.kind = .visits },
    ]
  }
}
