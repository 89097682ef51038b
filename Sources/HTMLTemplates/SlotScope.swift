/// The values that a section is rendered with.
enum ScopeValues<Value: Sendable>: Sendable {
  case none
  case one(Value)
  case many([Value])

  var isEmpty: Bool {
    switch self {
    case .none: true
    case .one: false
    case .many(let values): values.isEmpty
    }
  }

  func visit(_ body: (Value) -> Void) {
    switch self {
    case .none: break
    case .one(let value): body(value)
    case .many(let values): for value in values { body(value) }
    }
  }
}

/// A slot whose section has its own names. The type of the inner model is erased.
protocol SlotScope<Model>: Sendable {
  associatedtype Model: Sendable

  func isEmpty(_ model: Model) -> Bool

  /// Compiles a section in which inner names take precedence over the names around it.
  func compile(
    _ nodes: [TemplateNode],
    with compiler: TemplateCompiler,
    in outer: Slots<Model>
  ) throws -> @Sendable (Model, inout HTMLWriter) -> Void

  /// The slot for the rest of a dotted name. A list has none.
  func member(_ path: ArraySlice<String>) -> Slot<Model>?

  /// The alternatives to the rest of a dotted name, for error messages.
  func memberNames(besides path: ArraySlice<String>) -> [String]

  /// The declarations of inner slots that templates must use.
  var declarations: [SlotDeclaration] { get }

  /// Visits the inner slots, see ``Slots/visitParts()``.
  func visitParts()

  func lifted<Whole: Sendable>(_ part: some ModelPart<Whole, Model>) -> any SlotScope<Whole>
}

struct ValueScope<Model: Sendable, Value: Sendable>: SlotScope {
  private let slots: Slots<Value>
  /// Whether there can be several values. Dotted names cannot reach into a list.
  private let isList: Bool
  private let values: @Sendable (Model) -> ScopeValues<Value>

  init(
    _ slots: Slots<Value>,
    isList: Bool = false,
    _ values: @escaping @Sendable (Model) -> ScopeValues<Value>
  ) {
    self.slots = slots
    self.isList = isList
    self.values = values
  }

  var declarations: [SlotDeclaration] {
    self.slots.declarations
  }

  func isEmpty(_ model: Model) -> Bool {
    self.values(model).isEmpty
  }

  func visitParts() {
    self.slots.visitParts()
  }

  func compile(
    _ nodes: [TemplateNode],
    with compiler: TemplateCompiler,
    in outer: Slots<Model>
  ) throws -> @Sendable (Model, inout HTMLWriter) -> Void {
    let values = self.values
    if compiler.names(in: nodes).isSubset(of: self.slots.names) {
      // The section uses no outer name, so the inner value is enough.
      let program = try compiler.compile(nodes, self.slots)
      return { model, writer in
        values(model).visit { program.render($0, into: &writer) }
      }
    }
    let both = Slots(
      merging: outer.lifted(OuterPart<Model, Value>()),
      with: self.slots.lifted(InnerPart<Model, Value>())
    )
    let program = try compiler.compile(nodes, both)
    return { model, writer in
      values(model).visit { value in
        program.render(ScopePair(outer: model, inner: value), into: &writer)
      }
    }
  }

  func member(_ path: ArraySlice<String>) -> Slot<Model>? {
    guard self.isList == false else { return nil }
    return self.slots.slot(path)?.lifted(OnlyPart(values: self.values))
  }

  func memberNames(besides path: ArraySlice<String>) -> [String] {
    self.isList ? [] : self.slots.knownNames(besides: path)
  }

  func lifted<Whole: Sendable>(_ part: some ModelPart<Whole, Model>) -> any SlotScope<Whole> {
    let values = self.values
    return ValueScope<Whole, Value>(self.slots, isList: self.isList) {
      part.read($0, or: .none, values)
    }
  }
}

/// The value that a section is rendered with, and the model around it.
///
/// A class, because in a structure of unknown types every access looks up a field's offset.
private final class ScopePair<Outer: Sendable, Inner: Sendable>: Sendable {
  let outer: Outer
  let inner: Inner

  init(outer: Outer, inner: Inner) {
    self.outer = outer
    self.inner = inner
  }
}

private struct OuterPart<Outer: Sendable, Inner: Sendable>: ModelPart {
  func read<Result>(
    _ pair: ScopePair<Outer, Inner>,
    or missing: Result,
    _ body: (Outer) -> Result
  ) -> Result {
    body(pair.outer)
  }
}

private struct InnerPart<Outer: Sendable, Inner: Sendable>: ModelPart {
  func read<Result>(
    _ pair: ScopePair<Outer, Inner>,
    or missing: Result,
    _ body: (Inner) -> Result
  ) -> Result {
    body(pair.inner)
  }
}

/// The value of a scope that has at most one.
private struct OnlyPart<Model: Sendable, Value: Sendable>: ModelPart {
  let values: @Sendable (Model) -> ScopeValues<Value>

  func read<Result>(_ model: Model, or missing: Result, _ body: (Value) -> Result) -> Result {
    if case .one(let value) = self.values(model) { body(value) } else { missing }
  }
}
