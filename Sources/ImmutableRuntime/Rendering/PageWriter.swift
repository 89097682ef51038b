public import HTMLTemplates
public import ImmutableUI

/// The data that is specific to one page, unlike the renders that it shares with windows.
struct PageContext: Sendable {
  let path: PagePath
  let query: Query
  var overlay = Overlay()
  /// Creates the token of one form.
  var makeToken: @Sendable () -> String = { "" }
  var refused: RefusedSubmission?
  /// Counts the page's renders until it is sent.
  var held: HeldPage?
  /// The name of the region that is marked for a developer.
  var markedRegion: String?
  /// Receives the parameters that links and forms set, by name; many of them repeatedly.
  var checkParameter: @Sendable (String) -> Void = { _ in }
}

/// A refused submission, to be shown in the page that answers it.
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

/// Writes a composition as HTML and fills in the per-window values. It writes piece by piece, so
/// that sending a page of any length takes no more memory than one piece.
public struct PageWriter: Sendable {
  /// A part that has not been written yet.
  private enum Part {
    /// Shared bytes from an offset on, with their holes from an index on.
    case shared([UInt8], from: Int, [HTMLWriter.Hole], next: Int, row: (list: String, key: String)?)
    /// The rows of a list from an index on.
    case rows(RenderedList, next: Int)
  }

  private let composition: Composition
  private let context: PageContext
  private var query: PageQuery
  private var links: LinkWriter
  /// In reverse order: the next part is the last element.
  private var parts: [Part] = []
  /// The forms that show the refused submission, counted among the forms with its name.
  private let answers: Set<Int>
  /// The number of forms with that name that have been begun.
  private var formCount = 0

  /// The root region in its element, with all nested regions.
  init(composition: Composition, context: PageContext) {
    self.composition = composition
    self.context = context
    self.query = PageQuery(context.query)
    self.links = LinkWriter(
      path: context.path, query: context.query, checkParameter: context.checkParameter)
    self.answers = context.refused.map { FormSearch.forms(answering: $0, in: composition) } ?? []
    self.add { $0.write("</div>") }
    self.add(region: Composition.rootName)
    self.add { writer in
      writer.write("<div data-region=\"root\"")
      writer.hole(PerWindowHole.tag(region: Composition.rootName))
      writer.write(">")
    }
  }

  /// Whether a form shows the refused submission.
  var showsRefusal: Bool { self.answers.isEmpty == false }

  /// Writes the next piece: at least `count` bytes unless it is the last, and little more.
  ///
  /// - Returns: Whether there is more to write.
  /// - Complexity: O(n), n bytes and holes written.
  public mutating func write(atLeast count: Int = .max, into writer: inout HTMLWriter) -> Bool {
    while writer.bytes.count < count, let part = self.parts.popLast() {
      switch part {
      case .shared(let bytes, from: let start, let holes, let next, let row):
        self.write(bytes, from: start, holes, next: next, row, into: &writer)
      case .rows(let list, var next):
        // Rows have no lists or regions in them.
        while writer.bytes.count < count, next < list.count {
          let row = list[next]
          self.write(
            row.bytes, from: 0, row.holes, next: 0, (list.name, row.key), into: &writer)
          next += 1
        }
        if next < list.count { self.parts.append(.rows(list, next: next)) }
      }
    }
    return self.parts.isEmpty == false
  }

  private mutating func add(_ write: (inout HTMLWriter) -> Void) {
    var writer = HTMLWriter()
    write(&writer)
    self.parts.append(.shared(writer.bytes, from: 0, writer.holes, next: 0, row: nil))
  }

  private mutating func add(region name: String) {
    guard let rendered = self.composition.rendered(name) else { return }
    self.parts.append(.shared(rendered.bytes, from: 0, rendered.holes, next: 0, row: nil))
  }

  /// Writes shared bytes up to their end, or up to the first hole whose content is a part of its
  /// own.
  private mutating func write(
    _ bytes: [UInt8],
    from start: Int,
    _ holes: [HTMLWriter.Hole],
    next: Int,
    _ row: (list: String, key: String)?,
    into writer: inout HTMLWriter
  ) {
    var start = start
    for index in next..<holes.count {
      let hole = holes[index]
      writer.write(bytes: bytes[start..<hole.offset])
      start = hole.offset
      if hole.content(as: RowOverlay.self) != nil {
        if let row { self.writeOverlay(of: row.key, in: row.list, into: &writer) }
      } else if let late = hole.content(as: PerWindowHole.self) {
        self.write(late, into: &writer)
      } else if let field = hole.content(as: FieldHole.self) {
        start += self.write(field, before: bytes[start...], into: &writer)
      } else if let list = hole.content(as: RenderedList.self) {
        self.parts.append(.shared(bytes, from: start, holes, next: index + 1, row: row))
        self.parts.append(.rows(list, next: 0))
        return
      } else if let nested = hole.content(as: NestedRegion.self) {
        self.parts.append(.shared(bytes, from: start, holes, next: index + 1, row: row))
        self.add(region: nested.name)
        return
      }
    }
    writer.write(bytes: bytes[start...])
  }

  private func writeOverlay(of key: String, in list: String, into writer: inout HTMLWriter) {
    guard let attributes = self.context.overlay[list]?[key] else { return }
    let names = attributes.keys.sorted()
    // So that the module can tell these attributes from the row's own.
    writer.write(attribute: "data-overlay", names.joined(separator: " "))
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      writer.write(" ")
      writer.write(trusted: name)
      writer.write("=\"")
      writer.escape(value)
      writer.write("\"")
    }
  }

  private mutating func write(_ late: PerWindowHole, into writer: inout HTMLWriter) {
    switch late {
    case .tag(let region):
      if let rendered = self.composition.rendered(region) {
        writer.write(attribute: "data-tag", rendered.tag.text)
      }
      if region == self.context.markedRegion { writer.write(" data-marked") }
    case .link(let changes, let target):
      self.links.write(changes, target: target, into: &writer)
    case .lateLink(let changes):
      self.links.write(changes(&self.query), target: nil, into: &writer)
    case .attribute(let name, let value):
      writer.write(attribute: name, value(&self.query))
    case .parameters(let excluded):
      excluded.forEach(self.context.checkParameter)
      for item in self.context.query.items where excluded.contains(item.name) == false {
        writer.write("<input type=\"hidden\" data-late name=\"")
        writer.escape(item.name)
        writer.write("\"")
        writer.write(attribute: "value", item.value)
        writer.write(">")
      }
    case .token(let form):
      if form == self.context.refused?.form { self.formCount += 1 }
      writer.write(hidden: FormField.token, self.context.makeToken())
    case .messageID(let form):
      if let refused = self.refused(form) {
        writer.write(attribute: "id", self.messageID(form))
        if refused.refusal.kind == .warning { writer.write(" data-warning") }
      }
    case .message(let form):
      if let refused = self.refused(form) {
        writer.escape(refused.refusal.message)
      }
    }
  }

  /// The id of the message in the form that is being written. Ids must be unique in a page.
  private func messageID(_ form: String) -> String {
    self.formCount == self.answers.min() ? "error-\(form)" : "error-\(form)-\(self.formCount)"
  }

  /// The refused submission, if the form that is being written shows it.
  private func refused(_ form: String) -> RefusedSubmission? {
    self.answers.contains(self.formCount)
      ? self.context.refused.flatMap { $0.form == form ? $0 : nil } : nil
  }
}

// Fields.
extension PageWriter {
  /// - Parameter shared: The shared bytes after the hole.
  /// - Returns: The number of bytes that the hole replaces.
  private func write(
    _ hole: FieldHole,
    before shared: ArraySlice<UInt8>,
    into writer: inout HTMLWriter
  ) -> Int {
    guard let form = hole.form else {
      let texts = self.context.query.values(of: hole.field)
      self.write(hole.part, showing: texts.isEmpty ? hole.initial : texts, into: &writer)
      return 0
    }
    guard let refused = self.refused(form) else { return 0 }
    if case .hidden = hole.part { return 0 }
    if case .invalid = hole.part {
      if refused.refusal.fields[hole.field] != nil {
        writer.write(" aria-invalid=\"true\"")
        writer.write(attribute: "aria-describedby", self.messageID(form))
      }
      return 0
    }
    let texts = refused.fields.values(of: hole.field)
    // A field that was disabled, or is new, has no input to show.
    guard texts.isEmpty == false || hole.isAbsentWhenEmpty else { return 0 }
    self.write(hole.part, showing: texts, into: &writer)
    // The value that it would otherwise show, so that the module knows that the user has changed
    // it.
    switch hole.part {
    case .value:
      writer.write(" data-default-")
      writer.write(bytes: shared.prefix(hole.length).dropFirst())
    case .textarea(let initial): writer.write(attribute: "data-default-value", initial)
    case .checked: writer.write(attribute: "data-default-checked", "\(hole.length > 0)")
    case .select: writer.write(" data-draft")
    case .selected: if hole.length > 0 { writer.write(" data-default-selected") }
    case .text, .invalid, .hidden: break
    }
    return hole.length
  }

  private func write(
    _ part: FieldHole.Part,
    showing texts: [String],
    into writer: inout HTMLWriter
  ) {
    switch part {
    case .value: writer.write(attribute: "value", texts.first ?? "")
    case .text: writer.write(textarea: texts.first ?? "")
    case .checked(let value): if texts.contains(value) { writer.write(" checked") }
    case .selected(let value): if texts.contains(value) { writer.write(" selected") }
    case .textarea, .select, .invalid, .hidden: break
    }
  }
}
