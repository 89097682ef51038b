import ImmutableUI

extension LogEntryDetail: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("A change", in: .recorded) { LogEntryDetail(id: 1) },
      Preview("A refusal", in: .recorded) { LogEntryDetail(id: 3) },
      Preview("No longer recorded", in: .empty) { LogEntryDetail(id: 1) },
    ]
  }
}
