import ImmutableUI

extension DispatchForm: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Empty", in: .dispatching) { DispatchForm(example: nil) },
      Preview("Refused", in: .dispatchRefused) { DispatchForm(example: 2) },
      Preview("An example", in: .dispatching) { DispatchForm(example: 2) },
    ]
  }
}
