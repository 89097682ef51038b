import HTMLTemplates

/// The contents of a preview: a region, and the state and local state from which it is rendered.
package protocol PreviewScene<State>: Sendable {
  associatedtype State: StoreState

  var state: State { get }
  var root: RegionComponent { get }
  /// The local state as it appears in URLs.
  var query: Query { get }
  var overlay: Overlay { get }
  /// The properties that can be varied.
  var inputs: [PreviewInput] { get }
}

struct Scene<State: StoreState, Local: LocalState>: PreviewScene {
  let store: PreviewStore<State>
  let local: Local
  let root: RegionComponent
  var overlay = Overlay()

  var state: State { self.store.state }
  var query: Query { self.local.query }
  var inputs: [PreviewInput] {
    let defaults = Local()
    return Local.parameters.map { PreviewInput($0, of: self.local, defaults) }
  }
}

/// A property of a preview's local state.
package struct PreviewInput: Hashable, Sendable {
  package let name: String
  /// Its text.
  package let value: String
  /// The possible texts; empty if any text is possible.
  package let choices: [String]

  /// - Parameters:
  ///   - name: The name of its parameter.
  ///   - value: Its current text.
  ///   - choices: The possible texts; empty if any text is possible.
  package init(name: String, value: String, choices: [String]) {
    self.name = name
    self.value = value
    self.choices = choices
  }

  fileprivate init<Local>(_ parameter: Parameter<Local>, of local: Local, _ defaults: Local) {
    let texts = parameter.write(local, defaults)
    self.init(
      name: parameter.name,
      value: (texts.isEmpty ? parameter.initial : texts).first ?? "",
      choices: parameter.choices
    )
  }
}

/// A component in its surroundings. It is identified by its name, and shares no renders with
/// windows.
struct PreviewRegion<Content: Previewed>: Component, Hashable {
  let name: String
  let content: Content?

  var body: Never {
    preconditionFailure("a preview renders its component")
  }

  func render(into writer: inout HTMLWriter) {
    if Content.surroundings.isPage == false {
      // The component's headings are below the heading of a page.
      writer.write("<h1 class=\"hidden\">")
      writer.escape("\(Content.self): \(self.name)")
      writer.write("</h1>")
    }
    writer.write(trusted: Content.surroundings.start.description)
    if let content {
      content.render(into: &writer)
    } else {
      writer.write("<p class=\"empty\">With these inputs nothing shows.</p>")
    }
    writer.write(trusted: Content.surroundings.end.description)
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }

  func hash(into hasher: inout Hasher) { hasher.combine(self.name) }
}
