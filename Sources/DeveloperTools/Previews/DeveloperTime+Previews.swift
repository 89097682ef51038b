import ImmutableUI

extension DeveloperTime: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("No page chosen", in: .recorded),
      Preview("A page", in: .recorded) { $0.url = "/counter" },
    ]
  }
}
