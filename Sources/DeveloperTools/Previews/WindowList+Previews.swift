import ImmutableUI

extension WindowList: PreviewedPart {
  static var previews: [Preview<Self>] {
    [
      Preview("No windows", in: .empty) { WindowList() },
      Preview("Three windows", in: .recorded) { WindowList() },
      Preview("In a file", in: .loaded()) { WindowList() },
      Preview("Nothing found", in: .recorded) { WindowList("nowhere") },
    ]
  }
}
