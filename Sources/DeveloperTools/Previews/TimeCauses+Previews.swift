import ImmutableUI

extension TimeCauses: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("A change", in: .recorded) {
        TimeCauses(url: "/counter", id: 2, in: .preview, region: nil)
      },
      Preview("A refusal", in: .recorded) {
        TimeCauses(url: "/counter", id: nil, in: .preview, region: nil)
      },
      Preview("Nothing recorded", in: .empty) {
        TimeCauses(url: "/counter", id: nil, in: .preview, region: nil)
      },
    ]
  }
}
