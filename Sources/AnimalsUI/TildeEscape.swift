import ImmutableUI

// Escapes texts that are separated by tildes, in URLs and in fields.
extension String {
  /// The escaped text, without tildes.
  var escapingTildes: String {
    self.replacingBytes("%", with: "%25").replacingBytes("~", with: "%7E")
  }

  /// The original of an escaped text.
  var unescapingTildes: String {
    self.replacingBytes("%7E", with: "~").replacingBytes("%25", with: "%")
  }
}
