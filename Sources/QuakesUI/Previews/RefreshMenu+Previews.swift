import ImmutableUI

extension RefreshMenu: Previewed {
  static let surroundings = Surroundings.tools

  static var previews: [Preview<Self>] {
    [
      Preview("Ready", in: .sample) { RefreshMenu() },
      Preview("Refreshing", in: .refreshing) { RefreshMenu() },
    ]
  }
}
