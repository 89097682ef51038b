import HTMLTemplates
import Synchronization

/// The form whose section of a template is being compiled: its fields, and which of them are used.
final class FormScope: Sendable {
  /// A part of a field's element.
  enum Part: Hashable, Sendable {
    case attributes
    /// The text of a `<textarea>`, the options of a `<select>`.
    case content
  }

  private struct Use {
    var parts: Set<Part> = []
    var needed: Set<Part> = []
  }

  @TaskLocal static var current: FormScope?
  /// Whether the component that is being compiled was first found in the section of a form.
  @TaskLocal static var isAroundComponent = false

  /// The name of a form that posts; `nil` for a form that changes local state.
  let form: String?
  private let text: String
  /// The names of the fields. Bounded by the form.
  private let fields: Set<String>
  /// The controls of the fields of a form that posts, by name. Bounded by the form.
  private let controls: [String: FieldControl]
  /// What the fields of local state show if the URL has no value.
  let initial: [String: [String]]
  /// Bounded by the number of fields.
  private let uses = Mutex<[String: Use]>([:])

  init(form name: String, of controls: [String: FieldControl], _ callSite: CallSite) {
    self.form = name
    self.text = "the form \"\(name)\" (\(callSite))"
    self.fields = Set(controls.keys)
    self.controls = controls
    self.initial = [:]
  }

  init<Local: LocalState>(_ local: Local.Type) {
    self.form = nil
    self.text = "\(local)"
    self.fields = Set(local.parameters.map(\.name))
    self.controls = [:]
    self.initial = Dictionary(local.parameters.map { ($0.name, $0.initial) }) { first, _ in first }
  }

  /// The names of the fields used so far.
  var used: Set<String> {
    self.uses.withLock { Set($0.keys) }
  }

  /// Records that a template uses a field.
  ///
  /// - Parameters:
  ///   - control: The control that the template shows.
  ///   - isOneOfSeveral: Whether the field may have other elements.
  /// - Throws: `TemplateError` if the form has no such field or declares it otherwise, or if a form
  ///   for local state has it twice.
  func use(
    _ field: String,
    _ control: FieldControl,
    _ part: Part,
    at position: TemplatePosition,
    isOneOfSeveral: Bool
  ) throws {
    guard self.fields.contains(field) else {
      throw position.error(
        "\(self.text) has no field \"\(field)\". "
          + (self.fields.isEmpty
            ? "It has none." : "It has: \(self.fields.sorted().joined(separator: ", ")).")
      )
    }
    guard self.controls[field]?.isSame(as: control) ?? true else {
      throw position.error(
        "the field \"\(field)\" differs from that of \(self.text): use one declaration for both"
      )
    }
    try self.uses.withLock { uses in
      let isNew = uses[field, default: Use()].parts.insert(part).inserted
      uses[field]?.needed = control.neededParts
      guard self.form != nil || isNew || isOneOfSeveral else {
        throw position.error("the field \"\(field)\" is in this form twice")
      }
    }
  }

  /// Checks the form's fields once its section has been compiled.
  ///
  /// - Throws: `TemplateError` for a field that is unused or incomplete.
  func finish(at position: TemplatePosition) throws {
    let required = self.controls.filter { $0.value.kind != .none }.keys
    try self.uses.withLock { uses in
      if let unused = required.filter({ uses[$0] == nil }).min() {
        throw position.error("the field \"\(unused)\" of \(self.text) is declared and never used")
      }
      let broken = uses.filter { $0.value.parts.isSuperset(of: $0.value.needed) == false }
      if let field = broken.keys.min() {
        throw position.error(
          "of the field \"\(field)\" of \(self.text) a part is missing: a textarea has "
            + "{{name}} and {{name.text}}, a select {{name}} and {{name.options}}"
        )
      }
    }
  }
}

// Markup that templates may not contain.
extension FormScope {
  /// - Throws: `TemplateError` for a form that posts, for a field in a form, and for a link that
  ///   changes local state, if they are not slots. Otherwise the posted fields would be lost, the
  ///   field would be empty after a refusal, or a misspelt parameter would change nothing.
  @Sendable static func inspect(_ text: String, _ position: TemplatePosition) throws {
    // Creating a regular expression takes longer than seeing that it cannot match.
    let folded = text.lowercased()
    if folded.contains("<form"),
      let tag = text.firstMatch(of: /<form\b[^>]*\bmethod\s*=\s*["']?post/.ignoresCase())
    {
      throw position.advanced(over: text[..<tag.range.lowerBound]).error(
        "a form that posts is a slot: expected {{#name}}…{{/name}} and .form(\"name\", …)"
      )
    }
    if folded.contains("href"), let link = text.firstMatch(of: /\shref\s*=\s*["']?\?/.ignoresCase())
    {
      let index = text.index(after: link.range.lowerBound)
      throw position.advanced(over: text[..<index]).error(
        "a link that changes local state is a slot: expected {{name}} and .link(\"name\", …)"
      )
    }
    guard Self.current != nil || Self.isAroundComponent, folded.contains("name") else { return }
    for match in text.matches(of: /\sname\s*=/.ignoresCase()) {
      guard Self.isInTag(match.range.lowerBound, of: text) else { continue }
      let index = text.index(after: match.range.lowerBound)
      throw position.advanced(over: text[..<index]).error(
        "a field of a form is a slot: expected {{name}} and .field(\"name\", …) in place of name=…"
      )
    }
  }

  /// Whether a position is inside a tag. The text may begin inside one.
  private static func isInTag(_ index: String.Index, of text: String) -> Bool {
    if let before = text[..<index].last(where: { $0 == "<" || $0 == ">" }) { return before == "<" }
    return text[index...].first { $0 == "<" || $0 == ">" } == ">"
  }
}
