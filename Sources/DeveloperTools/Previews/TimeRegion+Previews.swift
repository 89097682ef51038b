import ImmutableUI

extension TimeRegion: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("A change", in: .recorded) {
        TimeRegion(url: "/counter", id: 2, in: .preview, region: "number")
      },
      Preview("No change that is known", in: .recorded) {
        TimeRegion(url: "/counter", id: 2, in: .preview, region: "root")
      },
      Preview("Nothing recorded", in: .empty) {
        TimeRegion(url: "/counter", id: nil, in: .preview, region: "root")
      },
    ]
  }
}
