/// A compiled template: static bytes, with the output of slots in between.
public struct TemplateProgram<Model: Sendable>: Sendable {
  enum Operation: Sendable {
    case text(@Sendable (Model) -> String)
    case write(@Sendable (Model, inout HTMLWriter) -> Void)
  }

  struct Step: Sendable {
    /// The static bytes before the operation.
    let bytes: [UInt8]
    let operation: Operation
  }

  let steps: ContiguousArray<Step>
  /// The static bytes at the end.
  let last: [UInt8]

  /// Writes a model.
  ///
  /// - Complexity: O(n), n bytes written.
  public func render(_ model: Model, into writer: inout HTMLWriter) {
    for step in self.steps {
      writer.write(bytes: step.bytes)
      switch step.operation {
      case .text(let value): writer.escape(value(model))
      case .write(let write): write(model, &writer)
      }
    }
    writer.write(bytes: self.last)
  }
}

/// Collects the steps of a program and joins adjacent static bytes.
struct TemplateProgramBuilder<Model: Sendable> {
  private var steps: ContiguousArray<TemplateProgram<Model>.Step> = []
  private var bytes: [UInt8] = []
  private var trimsNext = false

  mutating func add(_ text: String) {
    var utf8 = Array(text.utf8)[...]
    if self.trimsNext {
      utf8 = utf8.drop(while: Self.isSpace)
      self.trimsNext = utf8.isEmpty
    }
    self.bytes.append(contentsOf: utf8)
  }

  mutating func add(_ operation: TemplateProgram<Model>.Operation) {
    self.trimsNext = false
    self.steps.append(TemplateProgram.Step(bytes: self.bytes, operation: operation))
    self.bytes = []
  }

  /// Adds a program that writes only some models.
  mutating func add(
    _ program: TemplateProgram<Model>,
    if isShown: @escaping @Sendable (Model) -> Bool
  ) {
    self.add(
      .write { model, writer in
        if isShown(model) { program.render(model, into: &writer) }
      })
  }

  /// Removes the white space at the end of what was written.
  mutating func trimEnd() {
    while let last = self.bytes.last, Self.isSpace(last) { self.bytes.removeLast() }
  }

  /// Removes the white space at the start of what is written next.
  mutating func trimNext() {
    self.trimsNext = true
  }

  func build() -> TemplateProgram<Model> {
    TemplateProgram(steps: self.steps, last: self.bytes)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
      || byte == UInt8(ascii: "\r")
  }
}
