// Escapes texts that are separated by tildes, in URLs and in fields.
extension String {
  /// The escaped text, without tildes.
  var escapingTildes: String {
    self.replacing("%", with: "%25").replacing("~", with: "%7E")
  }

  /// The original of an escaped text.
  var unescapingTildes: String {
    self.replacing("%7E", with: "~").replacing("%25", with: "%")
  }
}
