import HTMLTemplates
import ImmutableUI

// It works on bytes, because the end of an entity, or a quotation mark, and a combining mark are one
// character.
extension String {
  /// The text as templates write it.
  var escaped: String {
    var writer = HTMLWriter()
    writer.escape(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The text that some HTML represents.
  var unescaped: String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(self) { text, entity in text.replacingBytes(entity.0, with: entity.1) }
  }
}
