import ImmutableUI

extension PastBanner: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Now", in: .dispatching) { PastBanner() },
      Preview("In the past", in: .past) { PastBanner() },
    ]
  }
}
