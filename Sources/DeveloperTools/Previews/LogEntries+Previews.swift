import ImmutableUI

extension LogEntries: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty) { LogEntries(LogFilter()) },
      Preview("Some actions and visits", in: .recorded) { LogEntries(LogFilter()) },
      Preview("Some visits", in: .recorded) { LogEntries(LogFilter(kind: .visits)) },
      Preview("One action of one window", in: .recorded) {
        LogEntries(
          LogFilter(action: "didTapIncrementButton", window: "AAAAAAAAAAAAAAAAAAAAAA"))
      },
    ]
  }
}
