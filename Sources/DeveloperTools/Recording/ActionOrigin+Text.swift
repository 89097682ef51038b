import ImmutableData

extension ActionOrigin {
  /// Reads the text of a recording (``text``).
  ///
  /// - Parameter window: The window that posted the form.
  /// - Returns: `nil` if it is none.
  init?(text: String, window: String?) {
    if let match = text.wholeMatch(of: /form “(.+)” at (.+)/) {
      self = .form(name: String(match.1), path: String(match.2), window: window)
    } else if let match = text.wholeMatch(of: /(.+) appeared/) {
      self = .page(path: String(match.1))
    } else if let match = text.wholeMatch(of: /effect (.+) of (\d+)/) {
      self = .effect(name: String(match.1), version: UInt64(match.2))
    } else if let match = text.wholeMatch(of: /effect (.+)/) {
      self = .effect(name: String(match.1), version: nil)
    } else if let match = text.wholeMatch(of: /from outside: (.+)/) {
      self = .outside(name: String(match.1))
    } else if text == Self.elsewhere.text {
      self = .elsewhere
    } else {
      return nil
    }
  }
}
