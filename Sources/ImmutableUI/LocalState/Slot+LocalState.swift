public import HTMLTemplates

// Slots that show or change local state. The bytes that windows share contain none of it; it is
// filled in late (docs/PROTOCOL.md, Late).
extension Slot {
  /// Attributes of a link that changes the window's local state: `<a {{byName}}>`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - local: The page's local state.
  ///   - target: The `id` of the element that a page scrolls to without JavaScript; with `nil` it
  ///     stays at its top.
  ///   - change: Sets what changes (``LocalChange``).
  public static func link<Local: LocalState>(
    _ name: String,
    _ local: Local.Type,
    scrollingTo target: (@Sendable (Model) -> String)? = nil,
    change: @escaping @Sendable (inout LocalChange<Local>, Model) -> Void
  ) -> Slot {
    // Computed once, because there may be thousands of rows.
    let parameters = ParameterIndex<Local>()
    return .writer(name) { model, writer in
      let changes = LocalChange.items(parameters: parameters) { change(&$0, model) }
      writer.write(linkThatSets: changes, target: target?(model))
    }
  }

  /// A link for each value of a property of local state, one of which is chosen. In the section,
  /// `{{choice}}` is the attributes of a link, with `aria-current` on the chosen one, and `{{label}}`
  /// its text.
  ///
  /// ```swift
  /// .choices("order", \NotesLocal.order) { $0.local.order }
  /// ```
  /// ```html
  /// <div class="segments" role="group" aria-label="Sort">
  ///   {{#order}}<a {{choice}}>{{label}}</a>{{/order}}
  /// </div>
  /// ```
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - property: What the links set.
  ///   - label: The text of a value; by default the name of its case.
  ///   - chosen: The window's own value.
  public static func choices<Local: LocalState, Value: CaseIterable & Equatable & Sendable>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    label: @escaping @Sendable (Value) -> String = { "\($0)" },
    chosen: @escaping @Sendable (Model) -> Value
  ) -> Slot {
    .choices(
      name, property, of: { _ in Array(Value.allCases) }, label: label, chosen: chosen)
  }

  /// The same for values that the model has.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - property: What the links set.
  ///   - values: The values, in order.
  ///   - label: The text of a value.
  ///   - chosen: The window's own value.
  public static func choices<Local: LocalState, Value: Equatable & Sendable>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    of values: @escaping @Sendable (Model) -> [Value],
    label: @escaping @Sendable (Value) -> String,
    chosen: @escaping @Sendable (Model) -> Value
  ) -> Slot {
    let parameters = ParameterIndex<Local>()
    let slots: Slots<ChoiceLink> = [
      .text("label") { $0.label },
      .writer("choice") { link, writer in
        writer.write(linkThatSets: link.changes, target: nil)
        if link.isChosen { writer.write(attribute: "aria-current", "true") }
      },
    ]
    return .each(name, slots) { model in
      let chosen = chosen(model)
      return values(model).map { value in
        let changes = LocalChange.items(parameters: parameters) {
          $0[dynamicMember: property] = value
        }
        return ChoiceLink(label: label(value), changes: changes, isChosen: value == chosen)
      }
    }
  }

  /// Attributes of a link to a page, of this product or another: `<a {{byName}}>`.
  ///
  /// ```swift
  /// .link("animal", to: Content.page()) { local, row in local.select(animal: row.animal) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - page: The page that it leads to. If the program does not provide it, the program does not
  ///     start.
  ///   - isOptional: Whether the program may do without the page. The template then must not show
  ///     the link.
  ///   - change: Sets the properties of its local state that differ from their defaults.
  public static func link<Content: Root>(
    _ name: String,
    to page: Page<Content>,
    isOptional: Bool = false,
    change: @escaping @Sendable (inout LocalChange<Content.Local>, Model) -> Void = { _, _ in }
  ) -> Slot {
    .writer(name) { position in
      if isOptional == false { TemplateSet.compiling?.add(linkTo: page.path, at: position) }
      return { model, writer in
        writer.write("href=\"")
        writer.escape(page.url { change(&$0, model) })
        writer.write("\"")
      }
    }
  }

  /// Attributes of a link whose change depends on late parameters: `<a data-keeps="href" {{zoomIn}}>`.
  /// The server writes them only in a page; afterwards the product's own module updates them.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - local: The page's local state.
  ///   - change: Sets what changes. Unlike in other links, it reads the window's own local state.
  public static func lateLink<Local: LocalState>(
    _ name: String,
    _ local: Local.Type,
    change: @escaping @Sendable (inout LocalChange<Local>) -> Void
  ) -> Slot {
    .writer(name) { position in
      try LocalChange.check(change, at: position)
      let parameters = ParameterIndex<Local>()
      let hole = PerWindowHole.lateLink {
        LocalChange.items(from: $0.local(as: local), parameters: parameters, change)
      }
      return { _, writer in writer.hole(hole) }
    }
  }

  /// An attribute that depends on late parameters: `<svg data-keeps="viewBox" {{camera}}>`. The
  /// server writes it only in a page; afterwards the product's own module updates it.
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
    let hole = PerWindowHole.attribute(attribute) { value($0.local(as: local)) }
    return .writer(name) { _, writer in writer.hole(hole) }
  }
}

/// A link that sets a property to one of its values.
private struct ChoiceLink: Sendable {
  let label: String
  let changes: [QueryItem]
  let isChosen: Bool
}

extension HTMLWriter {
  fileprivate mutating func write(linkThatSets changes: [QueryItem], target: String?) {
    self.write("data-set=\"")
    self.escape(changes.map { Query([$0]).text }.joined(separator: "&"))
    self.write("\"")
    self.hole(PerWindowHole.link(changes, target: target))
  }
}
