import ImmutableUI

extension RefreshStatus: Previewed {
  static let surroundings = Surroundings.list

  static var previews: [Preview<Self>] {
    [
      Preview("Read", in: .sample) { RefreshStatus() },
      Preview("Refreshing", in: .refreshing) { RefreshStatus() },
      Preview("Failed", in: .failed) { RefreshStatus() },
      Preview("Some could not be read", in: .skipped) { RefreshStatus() },
    ]
  }
}
