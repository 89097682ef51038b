import ImmutableUI

extension DeveloperWindows: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("No windows", in: .empty)
    ]
  }
}
