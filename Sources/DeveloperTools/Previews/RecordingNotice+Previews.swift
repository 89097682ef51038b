import ImmutableUI

extension RecordingNotice: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Recording", in: .recorded) { RecordingNotice() },
      Preview("Stopped", in: .stopped) { RecordingNotice() },
      Preview("A file", in: .loaded()) { RecordingNotice() },
      Preview("A risky file", in: .loaded(isRisky: true)) { RecordingNotice() },
    ]
  }
}
