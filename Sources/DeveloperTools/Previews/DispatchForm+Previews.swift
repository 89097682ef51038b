import ImmutableUI

extension DispatchForm: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Empty", in: .dispatching) { DispatchForm(example: nil) },
      Preview("Refused", in: .dispatchRefused) { DispatchForm(example: 2) },
      Preview("An example", in: .dispatching) { DispatchForm(example: 2) },
    ]
  }
}
