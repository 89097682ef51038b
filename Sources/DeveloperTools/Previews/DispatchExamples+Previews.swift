import ImmutableUI

extension DispatchExamples: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty) { DispatchExamples(example: nil) },
      Preview("One is in use", in: .dispatching) { DispatchExamples(example: 2) },
    ]
  }
}
