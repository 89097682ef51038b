import ImmutableUI

extension SlowedBrowsers: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("None", in: .recorded) { SlowedBrowsers() },
      Preview("One", in: .slowed) { SlowedBrowsers() },
    ]
  }
}
