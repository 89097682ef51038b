public import HTMLTemplates

/// A component that is written by a template: data in, HTML out, and nothing else.
///
/// ```swift
/// struct CounterPresenter: Presenter {
///   let value: Int
///
///   static let template = Template<Self>([
///     .text("value") { $0.value }
///   ])
/// }
/// ```
///
/// The template has the base name of the Swift file, in the folder of the module: the slots above,
/// in `Sources/CounterUI/Content.swift`, are those of `Templates/CounterUI/Content.mustache`.
///
/// A component that only shows what it selects needs no separate presenter. It can have both the
/// selectors and the template.
///
/// ```swift
/// struct CounterValue: Presenter, Hashable {
///   @SelectValue private var value
///
///   static let template = Template<Self>([
///     .text("value") { $0.value }
///   ])
/// }
/// ```
public protocol Presenter: Component where Body == Never {
  static var template: Template<Self> { get }
}

extension Presenter {
  public var body: Never {
    preconditionFailure("\(Self.self) is a presenter: it has a template, and no body")
  }

  public static func prepare(_ templates: TemplateSet) throws {
    templates.add(Self.self)
    try templates.compile(Self.template)
  }

  public func render(into writer: inout HTMLWriter) {
    Rendering.required.templates.program(for: Self.self).render(self, into: &writer)
  }
}

/// The slots of a model, and the name of the template file that they fill.
public struct Template<Model: Sendable>: Sendable {
  /// The path below the folder of templates, without its extension.
  let name: String
  let slots: Slots<Model>

  /// - Parameters:
  ///   - slots: The names that the template may use.
  ///   - file: The Swift file; its module and base name make the template's name.
  public init(_ slots: Slots<Model>, file: StaticString = #fileID) {
    let path = file.description
    self.name = path.hasSuffix(".swift") ? String(path.dropLast(6)) : path
    self.slots = slots
  }

  /// - Parameters:
  ///   - name: The path below the folder of templates, without its extension.
  ///   - slots: The names that the template may use.
  public init(named name: String, _ slots: Slots<Model>) {
    self.name = name
    self.slots = slots
  }
}
