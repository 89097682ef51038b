import ImmutableUI

extension TimeSteps: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("The newest", in: .recorded) { TimeSteps(url: "/counter", id: nil, region: nil) },
      Preview("The first", in: .recorded) { TimeSteps(url: "/counter", id: 1, region: "number") },
      Preview("No such page", in: .empty) { TimeSteps(url: "/nowhere", id: nil, region: nil) },
    ]
  }
}
