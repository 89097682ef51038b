import ImmutableUI

extension PastBanner: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Now", in: .dispatching) { PastBanner() },
      Preview("In the past", in: .past) { PastBanner() },
    ]
  }
}
