import ImmutableUI

extension DeveloperDispatch: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty),
      Preview("An example", in: .dispatching) { $0.example = 2 },
    ]
  }
}
