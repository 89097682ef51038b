import Foundation
import QuakesData

/// What one would write by hand to filter and sort earthquakes, with no search but that of ASCII.
struct PlainLoop {
  struct Row {
    let id: String
    let magnitude: Double
    let time: Double
    let name: String
  }

  private let rows: [Row]

  init(_ quakes: [Quake]) {
    self.rows = quakes.map { quake in
      Row(
        id: quake.id,
        magnitude: quake.magnitude,
        time: quake.time.timeIntervalSinceReferenceDate,
        name: quake.name
      )
    }
  }

  /// - Parameter isByMagnitude: Strongest first; else the oldest first.
  func find(_ text: String, _ interval: Range<Date>, isByMagnitude: Bool) -> [Row] {
    let start = interval.lowerBound.timeIntervalSinceReferenceDate
    let end = interval.upperBound.timeIntervalSinceReferenceDate
    let text = text.utf8.map(Self.lowercased)
    var found: [Row] = []
    for row in self.rows where start <= row.time && row.time < end {
      if text.isEmpty || Self.contains(row.name, text) {
        found.append(row)
      }
    }
    if isByMagnitude {
      found.sort { lhs, rhs in
        if lhs.magnitude != rhs.magnitude { return lhs.magnitude > rhs.magnitude }
        return lhs.time != rhs.time ? lhs.time > rhs.time : lhs.id < rhs.id
      }
    } else {
      found.sort { lhs, rhs in lhs.time != rhs.time ? lhs.time < rhs.time : lhs.id < rhs.id }
    }
    return found
  }

  private static func contains(_ name: String, _ text: [UInt8]) -> Bool {
    let name = Array(name.utf8)
    guard text.count <= name.count else { return false }
    for start in 0...(name.count - text.count) {
      var offset = 0
      while offset < text.count, self.lowercased(name[start + offset]) == text[offset] {
        offset += 1
      }
      if offset == text.count { return true }
    }
    return false
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }

  /// Puts earthquakes into a dictionary, and leaves those out that are not to be seen.
  static func index(_ quakes: [Quake]) -> [Quake.ID: Quake] {
    var index: [Quake.ID: Quake] = [:]
    for quake in quakes where quake.magnitude > 0 { index[quake.id] = quake }
    return index
  }
}
