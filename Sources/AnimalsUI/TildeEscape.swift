// Texts that stand between tildes, in URLs and in fields.
extension String {
  /// Without a tilde.
  var escapingTildes: String {
    self.replacing("%", with: "%25").replacing("~", with: "%7E")
  }

  /// What was escaped.
  var unescapingTildes: String {
    self.replacing("%7E", with: "~").replacing("%25", with: "%")
  }
}
