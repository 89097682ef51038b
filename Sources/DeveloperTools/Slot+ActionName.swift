import HTMLTemplates

extension Slot {
  /// The name of an action, such as `ui.animalList.onAppear`. Its last case stands out, and lines
  /// break only between words.
  static func actionName(
    _ name: String,
    _ actionName: @escaping @Sendable (Model) -> String
  ) -> Slot {
    .writer(name) { model, writer in
      let name = actionName(model)
      let start = name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex
      if start > name.startIndex {
        writer.write("<span class=\"cases\">")
        writer.write(words: name[..<start])
        writer.write("</span><wbr>")
      }
      writer.write("<strong>")
      writer.write(words: name[start...])
      writer.write("</strong>")
    }
  }
}

extension HTMLWriter {
  /// Writes a name whose lines may break after a dot and before a capital letter.
  fileprivate mutating func write(words name: Substring) {
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
