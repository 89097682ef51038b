import ImmutableUI

/// A short hash that identifies content.
struct ContentHash {
  private var hasher = TagHasher()

  mutating func combine(_ bytes: [UInt8]) {
    self.hasher.combine(bytes)
  }

  mutating func combine(_ text: String) {
    self.hasher.combine(text)
  }

  var text: String {
    self.hasher.finalize().text
  }

  static func of(_ bytes: [UInt8]) -> String {
    var hash = ContentHash()
    hash.combine(bytes)
    return hash.text
  }
}
