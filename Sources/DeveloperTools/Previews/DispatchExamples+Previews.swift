import ImmutableUI

extension DispatchExamples: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty) { DispatchExamples(example: nil) },
      Preview("One is in use", in: .dispatching) { DispatchExamples(example: 2) },
    ]
  }
}
