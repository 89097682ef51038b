import ImmutableUI

extension LogEntries: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty) { LogEntries(.both, search: "", product: nil) },
      Preview("Some actions and visits", in: .recorded) {
        LogEntries(.both, search: "", product: nil)
      },
      Preview("Some visits", in: .recorded) { LogEntries(.visits, search: "", product: nil) },
    ]
  }
}
