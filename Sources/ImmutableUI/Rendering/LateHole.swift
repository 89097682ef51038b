package import HTMLTemplates

/// Where something goes into shared bytes that differs from window to window: the server writes it
/// into a page, the module writes it after a patch (docs/PROTOCOL.md, Late).
package enum LateHole: Sendable {
  /// ` data-tag` of a region.
  case tag(region: String)
  /// ` href` of the current place with some of its parameters changed; a page scrolls to the target.
  case link([QueryItem], target: String?)
  /// ` href` of the current place with changes that depend on its query.
  case lateLink(@Sendable (Query) -> [QueryItem])
  /// An attribute that depends on the query.
  case attribute(StaticString, @Sendable (Query) -> String)
  /// Hidden inputs for the parameters that a GET form has no field for.
  case parameters(except: Set<String>)
  /// The hidden input with the submission's token.
  case token
  /// ` id` of that message, for the fields that it is about.
  case messageID(form: String)
  /// The message of a refused submission.
  case message(form: String)
}

/// Where a field shows its value.
///
/// In a form that posts the shared bytes go on with what it starts with, `length` bytes of it; after a
/// refusal a page has what the user typed instead. In a form for local state the shared bytes have
/// nothing, and a page has what its URL says.
package struct FieldHole: Sendable {
  package enum Part: Sendable {
    /// ` value="…"`
    case value
    /// The text between the tags of a `<textarea>`.
    case text
    /// ` checked` of a box with a value.
    case checked(String)
    /// ` selected` of an option with a value.
    case selected(String)
    /// Attributes of a `<textarea>` after a refusal, which starts with a text.
    case textarea(String)
    /// Attributes of a `<select>` after a refusal.
    case select
    /// What a field is marked with after a refusal of its value.
    case invalid
  }

  /// The form's name; `nil`: it is for local state.
  package let form: String?
  package let field: String
  package let part: Part
  /// What it shows while the URL does not say.
  package var initial: [String] = []
  package var length = 0
  /// Whether nothing was sent if nothing was chosen.
  package var isAbsentWhenEmpty = false
}

/// Where a row's overlay goes, right after its key.
package struct RowOverlay: Sendable {}

/// Where a nested region's content goes.
package struct NestedRegion: Equatable, Sendable {
  package let name: String
  package let component: RegionComponent
}

extension HTMLWriter {
  /// Writes what stands between the tags of a `<textarea>`, whose first line break is none.
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
    self.hole(LateHole.tag(region: name))
    self.write(">")
    self.hole(NestedRegion(name: name, component: component))
    self.write(element == .g ? "</g>" : "</div>")
  }
}
