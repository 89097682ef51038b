package import Foundation

extension Locale {
  /// The language of the pages, independent of the machine.
  package static let english = Locale(identifier: "en_US")
}

// Numbers as people read them.
extension Int {
  /// For example `10,007`.
  public var grouped: String {
    // Formatting takes many times as long, and most numbers are small.
    (0..<1_000).contains(self) ? "\(self)" : self.formatted(.number.locale(.english))
  }

  /// For example `1 animal`, or `10,007 animals`.
  public func counting(_ one: String, _ several: String) -> String {
    "\(self.grouped) \(self == 1 ? one : several)"
  }
}
