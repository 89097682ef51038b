import ImmutableUI

extension DeveloperTabs: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Log", in: .empty) { DeveloperTabs(current: .log) },
      Preview("Dispatch", in: .dispatching) { DeveloperTabs(current: .dispatch) },
      Preview("Previews", in: .empty) { DeveloperTabs(current: .previews) },
    ]
  }
}
