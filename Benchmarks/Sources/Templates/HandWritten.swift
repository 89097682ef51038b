/// What one would write by hand for these rows: bytes appended to one array.
struct HandWritten {
  var bytes: [UInt8] = []

  mutating func write(_ page: Page) {
    self.write("<ul data-list=\"rows\">")
    for row in page.rows {
      self.write("<li data-key=\"")
      self.escape(row.id)
      self.write("\"><h2>")
      self.escape(row.title)
      self.write("</h2><p>")
      self.escape(row.place)
      self.write("</p><p>")
      self.escape(row.magnitude)
      self.write("</p><p>")
      self.escape(row.depth)
      self.write("</p><time>")
      self.escape(row.time)
      self.write("</time><p>")
      self.escape(row.status)
      self.write("</p><a href=\"")
      self.escape(row.link)
      self.write("\">")
      self.escape(row.note)
      self.write("</a></li>")
    }
    self.write("</ul>\n")
  }

  @inline(__always)
  private mutating func write(_ html: StaticString) {
    self.bytes.append(
      contentsOf: UnsafeBufferPointer(start: html.utf8Start, count: html.utf8CodeUnitCount)
    )
  }

  private mutating func escape(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let escape: StaticString
        switch utf8[index] {
        case UInt8(ascii: "&"): escape = "&amp;"
        case UInt8(ascii: "<"): escape = "&lt;"
        case UInt8(ascii: ">"): escape = "&gt;"
        case UInt8(ascii: "\""): escape = "&quot;"
        case UInt8(ascii: "'"): escape = "&#39;"
        default: continue
        }
        self.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        self.write(escape)
        start = index + 1
      }
      self.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
  }
}
