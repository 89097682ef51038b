package import HTMLTemplates

/// A position in shared bytes where a per-window value goes. The server writes it into a page, and
/// the module writes it after a patch (docs/PROTOCOL.md, Late).
package enum PerWindowHole: Sendable {
  /// ` data-tag` of a region.
  case tag(region: String)
  /// ` href` of the current page with some of its parameters changed, and the element to scroll to.
  case link([QueryItem], target: String?)
  /// ` href` of the current page with changes that depend on its query.
  case lateLink(@Sendable (inout PageQuery) -> [QueryItem])
  /// An attribute that depends on the query.
  case attribute(StaticString, @Sendable (inout PageQuery) -> String)
  /// Hidden inputs for the parameters without a field in a GET form.
  case parameters(except: Set<String>)
  /// The hidden input with the submission's token, at the beginning of a form that posts.
  case token(form: String)
  /// ` id` of the error message, for `aria-describedby` of the fields concerned.
  case messageID(form: String)
  /// The message of a refused submission, at the end of its form.
  case message(form: String)
}

/// A position where a field shows its value.
///
/// In a form that posts, the next `length` shared bytes are the initial value. After a refusal, a
/// page replaces them with what the user typed. In a form for local state, the shared bytes contain
/// no value, and a page inserts the one from its URL.
package struct FieldHole: Sendable {
  package enum Part: Sendable {
    /// ` value="…"`
    case value
    /// The text inside a `<textarea>`.
    case text
    /// ` checked` of a box with this value.
    case checked(String)
    /// ` selected` of an option with this value.
    case selected(String)
    /// Attributes of a `<textarea>` after a refusal, with its initial text.
    case textarea(String)
    /// Attributes of a `<select>` after a refusal.
    case select
    /// Attributes of a field whose value was refused.
    case invalid
    /// ` value="…"` of a hidden input, which a refusal does not replace. It tells forms with the
    /// same name apart.
    case hidden
  }

  /// The form's name; `nil` for a form for local state.
  package let form: String?
  package let field: String
  package let part: Part
  /// What it shows if the URL has no value.
  package var initial: [String] = []
  package var length = 0
  /// Whether nothing is sent if nothing is chosen.
  package var isAbsentWhenEmpty = false
}

/// The position of a row's overlay attributes, immediately after its key.
package struct RowOverlay: Sendable {}

/// The position of a nested region's content.
package struct NestedRegion: Equatable, Sendable {
  package let name: String
  package let component: RegionComponent
}

extension HTMLWriter {
  /// Writes the content of a `<textarea>`. HTML ignores a line break at its start, so it is
  /// doubled.
  package mutating func write(textarea text: String) {
    if text.first?.isNewline == true { self.write("\n") }
    self.escape(text)
  }

  mutating func write(
    nestedRegion name: String,
    in element: RegionElement,
    _ component: RegionComponent
  ) {
    self.write(element == .g ? "<g data-region=\"" : "<div data-region=\"")
    self.escape(name)
    self.write("\"")
    self.hole(PerWindowHole.tag(region: name))
    self.write(">")
    self.hole(NestedRegion(name: name, component: component))
    self.write(element == .g ? "</g>" : "</div>")
  }
}
