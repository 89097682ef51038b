import HTMLTemplates

/// Where something goes into shared bytes that differs from window to window: the server writes it
/// into a page, the module writes it after a patch (docs/PROTOCOL.md, Late).
enum LateHole: Sendable {
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
  /// ` value` of a field that shows a parameter.
  case parameter(String, default: String)
  /// The hidden input with the submission's token.
  case token
  /// ` id` of that message, for the fields that it is about.
  case messageID(form: String)
  /// The message of a refused submission.
  case message(form: String)
  /// ` value="…"` of a field of a form that posts. The shared bytes go on with the default, `length`
  /// bytes of it; after a refusal a page has what the user typed instead.
  case value(form: String, field: String, length: Int)
  /// What a field of a form that posts is marked with after a refusal of its value.
  case invalid(form: String, field: String)
  /// ` selected` of an option in a form that posts. The shared bytes go on with the default, `length`
  /// bytes of it.
  case selected(form: String, field: String, value: String, length: Int)
}

/// Where a row's overlay goes, right after its key.
struct RowOverlay: Sendable {}

/// Where a nested region's content goes.
struct NestedRegion: Equatable, Sendable {
  let name: String
  let component: RegionComponent
}

extension HTMLWriter {
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
