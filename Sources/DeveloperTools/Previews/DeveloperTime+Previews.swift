import ImmutableUI

extension DeveloperTime: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("No page chosen", in: .recorded),
      Preview("A page", in: .recorded) { $0.url = "/counter" },
      Preview("A region", in: .recorded) {
        $0.url = "/counter"
        $0.at = 2
        $0.region = "number"
      },
    ]
  }
}
