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

  func forEach(_ body: (Value) -> Void) {
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

  /// The slot that the rest of a dotted name stands for.
  func member(_ path: ArraySlice<String>) -> Slot<Model>?

  var memberNames: [String] { get }

  func lifted<Outer: Sendable>(
    _ inner: @escaping @Sendable (Outer) -> Model
  ) -> any SlotScope<Outer>
}

struct ValueScope<Model: Sendable, Value: Sendable>: SlotScope {
  /// An inner value and the model around it.
  private struct Pair: Sendable {
    let outer: Model
    let inner: Value
  }

  private let slots: Slots<Value>
  private let values: @Sendable (Model) -> ScopeValues<Value>

  init(_ slots: Slots<Value>, _ values: @escaping @Sendable (Model) -> ScopeValues<Value>) {
    self.slots = slots
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
        values(model).forEach { program.render($0, into: &writer) }
      }
    }
    let both = Slots<Pair>(
      merging: outer.lifted { $0.outer },
      with: self.slots.lifted { $0.inner }
    )
    let program = try compiler.compile(nodes, both)
    return { model, writer in
      values(model).forEach { value in
        program.render(Pair(outer: model, inner: value), into: &writer)
      }
    }
  }

  func member(_ path: ArraySlice<String>) -> Slot<Model>? {
    let values = self.values
    return self.slots.slot(path)?.lifted(optional: { model in
      if case .one(let value) = values(model) { value } else { nil }
    })
  }

  var memberNames: [String] {
    self.slots.names
  }

  func lifted<Outer: Sendable>(
    _ inner: @escaping @Sendable (Outer) -> Model
  ) -> any SlotScope<Outer> {
    let values = self.values
    return ValueScope<Outer, Value>(self.slots) { values(inner($0)) }
  }
}
