import ImmutableUI

extension LogRecording: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("Recording", in: .recorded) { LogRecording() },
      Preview("Paused", in: .paused) { LogRecording() },
      Preview("A file", in: .loaded()) { LogRecording() },
    ]
  }
}
