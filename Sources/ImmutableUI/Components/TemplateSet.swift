public import HTMLTemplates
import Synchronization

/// The compiled templates of all components that can be shown.
public final class TemplateSet: Sendable {
  /// Bounded by the components of the program, and what their templates contain.
  private struct Contents: Sendable {
    /// A ``Program`` by the type of its model.
    var programs: [ObjectIdentifier: (any AnyObject & Sendable)?] = [:]
    var assets = AssetGraph()
    /// All prepared components, by type.
    var known: [ObjectIdentifier: any Component.Type] = [:]
    /// The components that rows contain.
    var inRows: Set<ObjectIdentifier> = []
    /// The components that each template belongs to.
    var owners: [String: [String]] = [:]
    /// The forms of all templates, by the type of their action and their name.
    var forms: [FormKey: RegisteredForm] = [:]
    /// The links of all templates to pages.
    var links: [(path: PagePath, position: TemplatePosition)] = []
  }

  private let library: TemplateLibrary
  private let contents = Mutex(Contents())
  private let preparing = Mutex<Void>(())

  private struct FormKey: Hashable {
    let action: ObjectIdentifier
    let name: String
  }

  private struct RegisteredForm: Sendable {
    /// A `Form` of the product's action.
    let form: any Sendable
    /// What it closes, for each local state; empty if nothing. Bounded by the pages of the program.
    var closings: [FormClosing]

    /// Whether the form closes something in one template and nothing in another, or two things of
    /// the same local state. Both would be posted alike.
    func isAmbiguous(with closing: FormClosing?) -> Bool {
      guard let closing, self.closings.isEmpty == false else {
        return (closing == nil) != self.closings.isEmpty
      }
      return self.closings.contains { $0.local == closing.local && $0 != closing }
    }
  }

  /// - Parameter library: Where the template files are.
  public init(library: TemplateLibrary) {
    self.library = library
  }

  /// Compiles a template, and the templates of the components that its slots show.
  ///
  /// - Throws: `TemplateError` that names file, line and column.
  func compile<Model>(_ template: Template<Model>) throws {
    let key = ObjectIdentifier(Model.self)
    let isNeeded = self.contents.withLock { contents in
      if let owner = Self.owner { contents.assets.add(key, to: owner) }
      // The entry without a program is for a component that shows its own kind.
      let isNew = contents.programs.updateValue(contents.programs[key] ?? nil, forKey: key) == nil
      if isNew { contents.owners[template.name, default: []].append("\(Model.self)") }
      // What a row must not contain is found only when it is compiled in a row.
      let isNewInRow = RowScope.isInRow && contents.inRows.insert(key).inserted
      return isNew || isNewInRow
    }
    guard isNeeded else { return }
    do {
      let program = try self.program(of: template, key)
      self.contents.withLock { $0.programs[key] = Program(program) }
    } catch let error as TemplateError where error.file == "\(template.name).mustache" {
      let owners = self.contents.withLock { $0.owners[template.name] ?? [] }
      let hint =
        "(the template of \(owners.joined(separator: " and ")): give each a Swift file and a template "
        + "of its own)"
      // Two components in one Swift file; a part may have said so already.
      guard owners.count > 1, error.message.hasSuffix(hint) == false else { throw error }
      throw error.adding(hint)
    }
  }

  private func program<Model>(
    of template: Template<Model>,
    _ key: ObjectIdentifier
  ) throws -> TemplateProgram<Model> {
    try Self.$compiling.withValue(self) {
      try Self.$owner.withValue(key) {
        // A component in a form has no part in its fields.
        let isInForm = FormScope.current != nil || FormScope.isAroundComponent
        return try FormScope.$isAroundComponent.withValue(isInForm) {
          try FormScope.$current.withValue(nil) {
            do {
              return try self.library.compile(
                template.name, template.slots, inspecting: FormScope.inspect)
            } catch {
              // A part that has the same template belongs into the error.
              template.slots.visitParts()
              throw error
            }
          }
        }
      }
    }
  }

  /// The program of a model; asking for one that was not compiled is a programmer error.
  func program<Model>(for model: Model.Type) -> TemplateProgram<Model> {
    let program = self.contents.withLock { $0.programs[ObjectIdentifier(model)] ?? nil }
    guard let program else {
      preconditionFailure("\(model) was not compiled: no page shows it through a slot")
    }
    // The key is the type of the model, and a dynamic cast to a generic type is slow.
    return unsafeDowncast(program, to: Program<Model>.self).program
  }

  private final class Program<Model: Sendable>: Sendable {
    let program: TemplateProgram<Model>

    init(_ program: TemplateProgram<Model>) {
      self.program = program
    }
  }

  /// The form of a product with a name; `nil` if no template has one.
  package func form<Action: Sendable>(_ name: String, of action: Action.Type) -> Form<Action>? {
    self.forms[FormKey(action: ObjectIdentifier(action), name: name)]?.form as? Form<Action>
  }

  /// What a form of a product closes, for each local state.
  package func closings<Action: Sendable>(of form: Form<Action>) -> [FormClosing] {
    self.forms[FormKey(action: ObjectIdentifier(Action.self), name: form.name)]?.closings ?? []
  }

  /// The forms of a product, by name, with the names of their fields.
  package func formFields<Action: Sendable>(of action: Action.Type) -> [String: [String]] {
    let forms = self.forms.values.compactMap { $0.form as? Form<Action> }
    return Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0.fieldNames) })
  }

  /// Whether a form of a product has a field for pictures.
  package func hasPictures<Action: Sendable>(of action: Action.Type) -> Bool {
    self.forms.values.contains { ($0.form as? Form<Action>)?.pictureLimits.isEmpty == false }
  }

  private var forms: [FormKey: RegisteredForm] { self.contents.withLock { $0.forms } }

  /// A template uses a form.
  ///
  /// - Throws: `TemplateError` when the product has another with the same name.
  func register<Action: Sendable>(
    _ form: Form<Action>,
    closing: FormClosing?,
    at position: TemplatePosition
  ) throws {
    let key = FormKey(action: ObjectIdentifier(Action.self), name: form.name)
    try self.contents.withLock { contents in
      let known = contents.forms[key]
      if let known, known.isAmbiguous(with: closing) {
        throw position.error(
          "in another template, the form \"\(form.name)\" closes nothing, or something else of the "
            + "same local state: declare two forms"
        )
      }
      if let other = known?.form as? Form<Action>, other.callSite != form.callSite {
        throw position.error(
          "two forms of \(Action.self) have the name \"\(form.name)\": "
            + "\(other.callSite) and \(form.callSite)"
        )
      }
      var registered = known ?? RegisteredForm(form: form, closings: [])
      if let closing, registered.closings.contains(closing) == false {
        registered.closings.append(closing)
      }
      contents.forms[key] = registered
    }
  }

  /// A template links to a page.
  func add(linkTo path: PagePath, at position: TemplatePosition) {
    self.contents.withLock { $0.links.append((path, position)) }
  }

  /// - Parameter paths: The paths of all pages.
  /// - Throws: `TemplateError` for a link to another page.
  package func checkLinks(to paths: [PagePath]) throws {
    for (path, position) in self.contents.withLock({ $0.links })
    where paths.contains(path) == false {
      throw position.error(
        "no page is provided at \"\(path.text)\". There are: "
          + paths.map(\.text).joined(separator: ", ")
      )
    }
  }

  /// The set that is being compiled: slots that show components add theirs to it.
  @TaskLocal static var compiling: TemplateSet?
  /// The component that is being compiled. It can show every component that is compiled meanwhile.
  @TaskLocal private static var owner: ObjectIdentifier?
}

// The assets of components.
extension TemplateSet {
  /// Compiles the templates of a page.
  ///
  /// - Returns: The assets of its components, each once.
  /// - Throws: `TemplateError` that names file, line and column.
  func prepare<R: Component>(_ root: R.Type) throws -> [Asset] {
    let key = ObjectIdentifier(root)
    let before = self.contents.withLock { $0 }
    self.contents.withLock { $0.assets.add(root: key) }
    do {
      try Self.$owner.withValue(key) { try R.prepare(self) }
    } catch {
      // The next attempt has to fail too, so it must not find what this one has begun.
      self.contents.withLock { $0 = before }
      throw error
    }
    return self.contents.withLock { $0.assets.assets(of: key) }
  }

  /// Records a component that is being prepared, and its assets.
  func add<C: Component>(_ component: C.Type) {
    self.contents.withLock { contents in
      contents.known[ObjectIdentifier(component)] = component
      guard let owner = Self.owner else { return }
      contents.assets.add(C.assets, to: owner)
      contents.assets.add(ObjectIdentifier(component), to: owner)
    }
  }
}

// Previews.
extension TemplateSet {
  /// The components whose templates were compiled, by name.
  package var components: [any Component.Type] {
    self.contents.withLock { Array($0.known.values) }
      .sorted { String(reflecting: $0) < String(reflecting: $1) }
  }

  /// The previews of all components, by the component's name.
  package var previews: [PreviewDeclaration] {
    self.components.flatMap { ($0 as? any Previewed.Type)?.declarations ?? [] }
  }

  /// Compiles the templates of a component, unless they have been compiled. Any number of tasks may
  /// ask for it at once.
  ///
  /// - Throws: `TemplateError` that names file, line and column.
  package func prepareOnce<C: Component>(_ component: C.Type) throws {
    try self.preparing.withLock { _ in
      let isKnown = self.contents.withLock { $0.known[ObjectIdentifier(component)] != nil }
      if isKnown == false { _ = try self.prepare(component) }
    }
  }

  /// The assets of the pages that can show a component, or of the page that is the component.
  ///
  /// - Complexity: O(n), n components.
  package func assets(around component: any Component.Type) -> [Asset] {
    self.contents.withLock { $0.assets.assets(around: ObjectIdentifier(component)) }
  }
}
