/// The values that a section is written for.
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

  func write(_ body: (Value) -> Void) {
    switch self {
    case .none: break
    case .one(let value): body(value)
    case .many(let values): for value in values { body(value) }
    }
  }
}

/// A slot whose section has names of its own, without the type of what has them.
protocol SlotScope<Model>: Sendable {
  associatedtype Model: Sendable

  func isEmpty(_ model: Model) -> Bool

  /// Compiles a section in the scope of the inner names and, behind them, those around it.
  func compile(
    _ nodes: [TemplateNode],
    with compiler: TemplateCompiler,
    in outer: Slots<Model>
  ) throws -> @Sendable (Model, inout HTMLWriter) -> Void

  /// The slot that the rest of a dotted name stands for; a list has none.
  func member(_ path: ArraySlice<String>) -> Slot<Model>?

  /// The names that could stand in place of the rest of a dotted name.
  func memberNames(besides path: ArraySlice<String>) -> [String]

  func lifted<Outer: Sendable>(
    optional inner: @escaping @Sendable (Outer) -> Model?
  ) -> any SlotScope<Outer>
}

struct ValueScope<Model: Sendable, Value: Sendable>: SlotScope {
  /// An inner value and the model around it.
  private struct Pair: Sendable {
    let outer: Model
    let inner: Value
  }

  private let slots: Slots<Value>
  /// Whether it can have several values: then no dotted name leads into it.
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

  func isEmpty(_ model: Model) -> Bool {
    self.values(model).isEmpty
  }

  func compile(
    _ nodes: [TemplateNode],
    with compiler: TemplateCompiler,
    in outer: Slots<Model>
  ) throws -> @Sendable (Model, inout HTMLWriter) -> Void {
    let values = self.values
    if compiler.names(in: nodes).isSubset(of: self.slots.names) {
      // Nothing around it is named, so the inner value alone will do.
      let program = try compiler.compile(nodes, self.slots)
      return { model, writer in
        values(model).write { program.render($0, into: &writer) }
      }
    }
    let both = Slots<Pair>(
      merging: outer.lifted { $0.outer },
      with: self.slots.lifted { $0.inner }
    )
    let program = try compiler.compile(nodes, both)
    return { model, writer in
      values(model).write { value in
        program.render(Pair(outer: model, inner: value), into: &writer)
      }
    }
  }

  func member(_ path: ArraySlice<String>) -> Slot<Model>? {
    guard self.isList == false else { return nil }
    let values = self.values
    return self.slots.slot(path)?.lifted(optional: { model in
      if case .one(let value) = values(model) { value } else { nil }
    })
  }

  func memberNames(besides path: ArraySlice<String>) -> [String] {
    self.isList ? [] : self.slots.knownNames(besides: path)
  }

  func lifted<Outer: Sendable>(
    optional inner: @escaping @Sendable (Outer) -> Model?
  ) -> any SlotScope<Outer> {
    let values = self.values
    return ValueScope<Outer, Value>(self.slots, isList: self.isList) { outer in
      inner(outer).map(values) ?? .none
    }
  }
}
