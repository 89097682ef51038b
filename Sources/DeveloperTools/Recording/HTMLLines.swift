extension String {
  /// HTML in lines: one for each tag, and one for each text.
  var htmlLines: [String] {
    var lines: [String] = []
    var line = ""
    func end() {
      let text = line.trimmingSpaces
      if text.isEmpty == false { lines.append(text) }
      line = ""
    }
    for character in self {
      if character == "<" { end() }
      line.append(character)
      if character == ">" { end() }
    }
    end()
    return lines
  }

  fileprivate var trimmingSpaces: String {
    let start = self.prefix { $0.isWhitespace }.endIndex
    let end = self.reversed().prefix { $0.isWhitespace }.count
    return start == self.endIndex ? "" : String(self[start...].dropLast(end))
  }
}
