import Foundation

// Numbers as people read them.
extension Int {
  /// For example `10,007`.
  public var grouped: String {
    self.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  /// For example `1 animal`, or `10,007 animals`.
  public func counting(_ one: String, _ several: String) -> String {
    "\(self.grouped) \(self == 1 ? one : several)"
  }
}
