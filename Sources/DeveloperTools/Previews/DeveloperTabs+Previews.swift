import ImmutableUI

extension DeveloperTabs: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Log", in: .empty) { DeveloperTabs(current: .log) },
      Preview("Dispatch", in: .dispatching) { DeveloperTabs(current: .dispatch) },
      Preview("Previews", in: .empty) { DeveloperTabs(current: .previews) },
    ]
  }
}
