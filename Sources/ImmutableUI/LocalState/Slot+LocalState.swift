public import HTMLTemplates

// Slots that show, or change, what one window has for itself. The bytes that windows share hold no
// trace of it: the rest comes late.
extension Slot {
  /// Attributes of a link to the window's place with some parameters changed: `<a {{byName}}>`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - changes: What changes; an empty value removes a parameter.
  public static func link(
    _ name: String,
    _ changes: @escaping @Sendable (Model) -> [QueryItem]
  ) -> Slot {
    .writer(name) { model, writer in
      let changes = changes(model)
      let set = changes.map { Query([$0]).text }.joined(separator: "&")
      writer.write("data-set=\"")
      writer.escape(set)
      writer.write("\"")
      writer.hole(LateHole.link(changes))
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
  public static func parameter(_ name: String, _ parameter: String) -> Slot {
    .writer(name) { _, writer in
      writer.write("name=\"")
      writer.escape(parameter)
      writer.write("\" data-parameter=\"")
      writer.escape(parameter)
      writer.write("\"")
      writer.hole(LateHole.parameter(parameter))
    }
  }
}
