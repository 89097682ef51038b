package import Foundation

extension TimeZone {
  /// The longest name has 32.
  private static let byteLimit = 64

  /// A zone as browsers report it.
  ///
  /// Foundation keeps every zone for good, by its identifier. There are some hundred names, but one
  /// offset can be spelled in many ways, of which only `GMT+hhmm` is accepted. Foundation also ends
  /// a name at a NUL, and would accept anything after it.
  package init?(reported identifier: String) {
    guard identifier.utf8.count <= Self.byteLimit else { return nil }
    let isOffset = ["GMT", "UTC"].contains { identifier.hasPrefix($0) } && identifier.count > 3
    guard identifier.utf8.contains(0) == false,
      isOffset == false
        || ["GMT+0000", "GMT-0000"].contains(where: { identifier.numbers(as: $0) != nil })
    else { return nil }
    self.init(identifier: identifier)
  }
}
