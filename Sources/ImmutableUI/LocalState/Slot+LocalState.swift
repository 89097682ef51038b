public import HTMLTemplates

// Slots that show, or change, what one window has for itself. The bytes that windows share hold no
// trace of it: the rest comes late.
extension Slot {
  /// Attributes of a link to the window's place with some parameters changed: `<a {{byName}}>`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - target: The `id` of the element that a page scrolls to without JavaScript; `nil`: it stays at
  ///     its top.
  ///   - changes: What changes; an empty value removes a parameter.
  public static func link(
    _ name: String,
    scrollingTo target: (@Sendable (Model) -> String)? = nil,
    _ changes: @escaping @Sendable (Model) -> [QueryItem]
  ) -> Slot {
    .writer(name) { model, writer in
      let changes = changes(model)
      let set = changes.map { Query([$0]).text }.joined(separator: "&")
      writer.write("data-set=\"")
      writer.escape(set)
      writer.write("\"")
      writer.hole(LateHole.link(changes, target: target?(model)))
    }
  }

  /// Attributes of a link whose changes depend on late parameters: `<a data-keeps="href" {{zoomIn}}>`.
  /// Only a page has them; afterwards a module of the product's own is at it.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - local: The page's local state.
  ///   - changes: What changes; an empty value removes a parameter.
  public static func link<Local: LocalState>(
    _ name: String,
    from local: Local.Type,
    _ changes: @escaping @Sendable (Local) -> [QueryItem]
  ) -> Slot {
    .writer(name) { _, writer in
      writer.hole(LateHole.lateLink { changes(Local($0)) })
    }
  }

  /// An attribute that depends on late parameters: `<svg data-keeps="viewBox" {{camera}}>`. Only a page
  /// has it; afterwards a module of the product's own is at it.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - attribute: The attribute's name, a literal.
  ///   - local: The page's local state.
  ///   - value: The attribute's value.
  public static func attribute<Local: LocalState>(
    _ name: String,
    _ attribute: StaticString,
    from local: Local.Type,
    _ value: @escaping @Sendable (Local) -> String
  ) -> Slot {
    .writer(name) { _, writer in
      writer.hole(LateHole.attribute(attribute) { value(Local($0)) })
    }
  }

  /// A GET form for local state, around what the section holds: `{{#searchForm}}…{{/searchForm}}`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - parameters: Those that the form has fields for; the others stay as they are.
  public static func localForm(_ name: String, parameters: [String]) -> Slot {
    let parameters = Set(parameters)
    return .wrapper(name) { _, writer, content in
      writer.write("<form method=\"get\" data-local>")
      writer.hole(LateHole.parameters(except: parameters))
      content(&writer)
      writer.write("</form>")
    }
  }

  /// Attributes of a text field that shows a parameter: `<input type="search" {{search}}>`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - parameter: The parameter's name in the URL.
  ///   - initial: What the field shows while the URL does not say.
  public static func parameter(
    _ name: String,
    _ parameter: String,
    default initial: @escaping @Sendable (Model) -> String = { _ in "" }
  ) -> Slot {
    .writer(name) { model, writer in
      let initial = initial(model)
      writer.write("name=\"")
      writer.escape(parameter)
      writer.write("\" data-parameter=\"")
      writer.escape(parameter)
      writer.write("\"")
      if initial.isEmpty == false {
        writer.write(attribute: "data-default", initial)
      }
      writer.hole(LateHole.parameter(parameter, default: initial))
    }
  }
}
