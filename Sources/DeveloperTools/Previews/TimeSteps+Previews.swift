import ImmutableUI

extension TimeSteps: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("The newest", in: .recorded) {
        TimeSteps(url: "/counter", id: nil, in: .preview, region: nil)
      },
      Preview("The first", in: .recorded) {
        TimeSteps(url: "/counter", id: 1, in: .preview, region: "number")
      },
      Preview("No longer recorded", in: .recorded) {
        TimeSteps(url: "/counter", id: 99, in: .preview, region: nil)
      },
      Preview("No such page", in: .empty) {
        TimeSteps(url: "/nowhere", id: nil, in: .preview, region: nil)
      },
    ]
  }
}
