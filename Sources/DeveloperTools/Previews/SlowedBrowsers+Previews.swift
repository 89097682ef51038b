import ImmutableUI

extension SlowedBrowsers: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("None", in: .recorded) { SlowedBrowsers() },
      Preview("One", in: .slowed) { SlowedBrowsers() },
    ]
  }
}
