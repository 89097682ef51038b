import ImmutableUI

extension DeveloperWindows: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("No windows", in: .empty),
      Preview("A browser", in: .slowed) { $0.browser = .browser },
    ]
  }
}
