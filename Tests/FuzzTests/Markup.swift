/// The markup of a page, read as a browser's tokenizer does, as far as pages of ours go.
enum Markup {
  /// What user text is made of that would be markup if it were not escaped.
  static let hostile = [
    "<zq zq=zq>", "\"><zq>", "'><zq zq>", "\" zq=\"", "' zq='", " zq=zq ", "</zq>", "<!--zq",
    "&lt;zq>",
    "<\u{301}zq>", "\"\u{301} zq=zq ", "<script>zq</script>", "</textarea><zq>", "</title><zq>",
    "]]><zq>",
    "&#60;zq&#62;", "\u{0}<zq>", "{{zq}}", "{{{zq}}}", "javascript:zq",
  ]

  /// The names of the tags and attributes that have ``hostile`` in them: none, if all text is escaped.
  static func injected(in html: [UInt8]) -> [String] {
    var names: [String] = []
    var index = 0
    while let open = html[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = open + 1
      while index < html.count, html[index] != UInt8(ascii: ">") {
        let start = index
        while index < html.count, Self.ends.contains(html[index]) == false { index += 1 }
        names.append(String(decoding: html[start..<index], as: UTF8.self))
        guard index < html.count else { break }
        if html[index] == UInt8(ascii: "\"") || html[index] == UInt8(ascii: "'") {
          index = html[(index + 1)...].firstIndex(of: html[index]) ?? html.count - 1
        }
        if html[index] != UInt8(ascii: ">") { index += 1 }
      }
    }
    return names.filter { $0.contains("zq") }
  }

  private static let ends: Set<UInt8> = Set(" \t\n\r>\"'=".utf8)
}
