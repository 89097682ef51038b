import HTMLTemplates

/// What a page has for itself, and windows that share its renders do not.
struct PageContext: Sendable {
  let path: String
  let query: Query
  var overlay = Overlay()
  /// Mints the token of one form.
  var makeToken: @Sendable () -> String = { "" }
  var refused: RefusedSubmission?
}

/// A submission that was refused, to be shown in the page that answers it.
public struct RefusedSubmission: Sendable {
  public let form: String
  public let fields: FormFields
  public let refusal: Refusal

  public init(form: String, fields: FormFields, refusal: Refusal) {
    self.form = form
    self.fields = fields
    self.refusal = refusal
  }
}

/// Writes a composition as HTML, with everything that comes late filled in.
struct PageWriter {
  let composition: Composition
  let context: PageContext

  /// The root region in its element, with all that it nests.
  ///
  /// - Complexity: O(n), n bytes and holes.
  func write(into writer: inout HTMLWriter) {
    writer.write("<div data-region=\"root\"")
    self.write(.tag(region: Composition.rootName), into: &writer)
    writer.write(">")
    self.write(region: Composition.rootName, into: &writer)
    writer.write("</div>")
  }

  private func write(region name: String, into writer: inout HTMLWriter) {
    guard let rendered = self.composition.rendered(name) else { return }
    self.write(rendered.bytes, rendered.holes, into: &writer) { content, writer in
      if let list = content as? RenderedList {
        for row in list.rows {
          self.write(row, of: list.name, into: &writer)
        }
      } else if let nested = content as? NestedRegion {
        self.write(region: nested.name, into: &writer)
      }
    }
  }

  private func write(_ row: RenderedRow, of list: String, into writer: inout HTMLWriter) {
    self.write(row.bytes, row.holes, into: &writer) { content, writer in
      guard content is RowOverlay,
        let attributes = self.context.overlay.attributes[list]?[row.key]
      else { return }
      let names = attributes.keys.sorted()
      // So that the module can tell them from those of the row.
      writer.write(attribute: "data-overlay", names.joined(separator: " "))
      for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
        writer.write(" ")
        writer.write(trusted: name)
        writer.write("=\"")
        writer.escape(value)
        writer.write("\"")
      }
    }
  }

  private func write(
    _ bytes: [UInt8],
    _ holes: [HTMLWriter.Hole],
    into writer: inout HTMLWriter,
    other: (any Sendable, inout HTMLWriter) -> Void
  ) {
    var start = 0
    for hole in holes {
      writer.write(bytes: Array(bytes[start..<hole.offset]))
      start = hole.offset
      if let late = hole.content as? LateHole {
        start += self.write(late, before: bytes[start...], into: &writer)
      } else {
        other(hole.content, &writer)
      }
    }
    writer.write(bytes: Array(bytes[start...]))
  }

  /// - Parameter shared: The shared bytes behind the hole.
  /// - Returns: How many of them it stands for.
  @discardableResult
  private func write(
    _ late: LateHole,
    before shared: ArraySlice<UInt8> = [],
    into writer: inout HTMLWriter
  ) -> Int {
    switch late {
    case .tag(let region):
      if let rendered = self.composition.rendered(region) {
        writer.write(attribute: "data-tag", rendered.tag.text)
      }
    case .link(let changes, let target):
      self.write(link: changes, target: target, into: &writer)
    case .lateLink(let changes):
      self.write(link: changes(self.context.query), into: &writer)
    case .attribute(let name, let value):
      writer.write(attribute: name, value(self.context.query))
    case .parameters(let excluded):
      for item in self.context.query.items where excluded.contains(item.name) == false {
        writer.write("<input type=\"hidden\" data-late name=\"")
        writer.escape(item.name)
        writer.write("\"")
        writer.write(attribute: "value", item.value)
        writer.write(">")
      }
    case .parameter(let name, let initial):
      writer.write(attribute: "value", self.context.query[name] ?? initial)
    case .token:
      writer.write(hidden: FormField.token, self.context.makeToken())
    case .messageID(let form):
      if self.refused(form) != nil {
        writer.write(attribute: "id", Self.messageID(form))
      }
    case .message(let form):
      if let refused = self.refused(form) {
        writer.escape(refused.refusal.message)
      }
    case .value(let form, let field, let length):
      guard let refused = self.refused(form), let value = refused.fields[field] else { return 0 }
      writer.write(attribute: "value", value)
      // What it would be else, so that the module knows that its user has changed it.
      writer.write(" data-default-")
      writer.write(bytes: Array(shared.prefix(length).dropFirst()))
      self.write(.invalid(form: form, field: field), into: &writer)
      return length
    case .invalid(let form, let field):
      if self.refused(form)?.refusal.fields[field] != nil {
        writer.write(" aria-invalid=\"true\"")
        writer.write(attribute: "aria-describedby", Self.messageID(form))
      }
    case .selected(let form, let field, let value, let length):
      guard let choice = self.refused(form)?.fields[field] else { return 0 }
      if choice == value { writer.write(" selected") }
      if length > 0 { writer.write(" data-default-selected") }
      return length
    }
    return 0
  }

  private func write(
    link changes: [QueryItem],
    target: String? = nil,
    into writer: inout HTMLWriter
  ) {
    let query = self.context.query.setting(changes).text
    let fragment = target.map { "#" + Query.encode($0, space: "%20") } ?? ""
    writer.write(attribute: "href", (query.isEmpty ? self.context.path : "?\(query)") + fragment)
  }

  private static func messageID(_ form: String) -> String {
    "error-\(form)"
  }

  private func refused(_ form: String) -> RefusedSubmission? {
    self.context.refused.flatMap { $0.form == form ? $0 : nil }
  }
}
