import ImmutableUI

extension RecordingNotice: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Recording", in: .recorded) { RecordingNotice() },
      Preview("Stopped", in: .stopped) { RecordingNotice() },
      Preview("A file", in: .loaded()) { RecordingNotice() },
      Preview("A risky file", in: .loaded(isRisky: true)) { RecordingNotice() },
    ]
  }
}
