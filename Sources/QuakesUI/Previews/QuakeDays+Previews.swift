import ImmutableUI

extension QuakeDays: Previewed {
  static let surroundings = Surroundings.strip

  static var previews: [Preview<Self>] {
    [
      Preview("A month", in: .many, QuakeDays.init),
      Preview("Two days", in: .sample, QuakeDays.init),
      Preview("None", in: .empty, QuakeDays.init),
    ]
  }
}
