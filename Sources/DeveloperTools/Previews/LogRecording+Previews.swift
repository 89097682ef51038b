import ImmutableUI

extension LogRecording: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Recording", in: .recorded) { LogRecording() },
      Preview("Paused", in: .paused) { LogRecording() },
      Preview("A file", in: .loaded()) { LogRecording() },
    ]
  }
}
