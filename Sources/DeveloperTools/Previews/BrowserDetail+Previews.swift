import ImmutableUI

extension BrowserDetail: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Only to look at", in: .recorded) { BrowserDetail(.browser) },
      Preview("As it is", in: .dispatching) { BrowserDetail(.browser) },
      Preview("Slowed down", in: .slowed) { BrowserDetail(.browser) },
      Preview("Gone", in: .dispatching) { BrowserDetail("000000000000") },
    ]
  }
}
