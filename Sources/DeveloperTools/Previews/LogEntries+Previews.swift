import ImmutableUI

extension LogEntries: Previewed {
  static let surroundings = Surroundings.developer

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing recorded", in: .empty) { LogEntries(search: "", product: nil) },
      Preview("Some actions", in: .recorded) { LogEntries(search: "", product: nil) },
    ]
  }
}
