import HTMLTemplates

extension Slot {
  /// The name of an action, such as `ui.animalList.onAppear`. Its last case stands out, and lines
  /// break only between words.
  static func actionName(
    _ name: String,
    _ actionName: @escaping @Sendable (Model) -> String
  ) -> Slot {
    .writer(name) { model, writer in writer.write(actionName: actionName(model)) }
  }
}

extension HTMLWriter {
  /// Writes the cases before the last one in a `span`, and the last one in a `strong`:
  /// `<span class="cases">ui.</span><wbr><strong>on<wbr>Appear</strong>`.
  mutating func write(actionName name: String) {
    let start = name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex
    if start > name.startIndex {
      self.write("<span class=\"cases\">")
      self.escape(breakable: name[..<start])
      self.write("</span><wbr>")
    }
    self.write("<strong>")
    self.escape(breakable: name[start...])
    self.write("</strong>")
  }

  /// Writes a name whose lines may break after a dot and before a capital letter: `on<wbr>Appear`.
  private mutating func escape(breakable name: Substring) {
    var previous: Character?
    for character in name {
      if let previous, previous == "." || character.isUppercase && !previous.isUppercase {
        self.write("<wbr>")
      }
      self.escape(String(character))
      previous = character
    }
  }
}
