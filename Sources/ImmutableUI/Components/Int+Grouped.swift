package import Foundation

extension Locale {
  /// The language of the pages, independent of the machine.
  package static let english = Locale(identifier: "en_US")
}

// Numbers as people read them.
extension Int {
  /// For example `10,007`.
  public var grouped: String {
    // Foundation takes many times as long, and frames show numbers again and again.
    var digits = Array("\(self.magnitude)".utf8)
    for index in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(UInt8(ascii: ","), at: index)
    }
    return (self < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// For example `1 animal`, or `10,007 animals`.
  public func counting(_ one: String, _ several: String) -> String {
    "\(self.grouped) \(self == 1 ? one : several)"
  }
}
