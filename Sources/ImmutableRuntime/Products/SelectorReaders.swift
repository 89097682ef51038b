import ImmutableUI

/// The used regions that read one selector.
///
/// Not Sendable: the renderer owns it.
final class SelectorReaders {
  let definition: any SelectorDeclaration
  let memo: any SelectorMemo
  let watched: WatchedRows?
  /// The memo's change count when these regions were last updated.
  var changes: UInt64
  /// The size of the memo when it was counted.
  var bytes: Int
  var regions: [ObjectIdentifier: Region]
  /// The one of these regions whose client pays for the memo.
  var payer: Region

  init(_ read: SelectorRead, by region: Region) {
    self.regions = [ObjectIdentifier(region): region]
    self.payer = region
    self.definition = read.definition
    self.memo = read.memo
    self.watched = read.memo.watched
    self.changes = read.changes
    self.bytes = read.memo.heapSize
  }
}
