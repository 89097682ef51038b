public import HTMLTemplates

extension Slot {
  /// The rows of a list, patched row by row.
  ///
  /// ```html
  /// <ul data-list="animals">{{#animals}}<li>{{name}}</li>{{/animals}}</ul>
  /// ```
  ///
  /// A row is one element in a container that holds nothing else. It sees only its own slots, and
  /// it is rendered again only when its value has changed. If several rows have the same id, only
  /// the first is shown.
  ///
  /// Several lists of one kind, for example the columns of a board, are one slot whose `list` names
  /// each of them:
  ///
  /// ```html
  /// {{#columns}}<ul data-list="{{cards.list}}">{{#cards}}<li>{{name}}</li>{{/cards}}</ul>{{/columns}}
  /// ```
  ///
  /// - Parameters:
  ///   - name: The slot's name, and the container's `data-list`; unique on the page.
  ///   - list: The container's `data-list` where it is not the slot's name; unique on the page.
  ///   - slots: The names that a row's template may use.
  ///   - rows: The rows, in order.
  public static func rows<Row>(
    _ name: String,
    list: (@Sendable (Model) -> String)? = nil,
    _ slots: Slots<Row>,
    _ rows: @escaping @Sendable (Model) -> [Row]
  ) -> Slot where Row: Identifiable & Equatable & Sendable, Row.ID: Sendable {
    .rows(
      name,
      list: list,
      slots,
      isEmpty: { rows($0).isEmpty },
      render: { Rendering.required.render(list?($0) ?? name, rows($0), $1) }
    )
  }

  /// The rows of a part of a long list, of which a render looks only at those that have changed.
  ///
  /// - Parameters:
  ///   - name: The slot's name, and the container's `data-list`; unique on the page.
  ///   - list: The container's `data-list` where it is not the slot's name; unique on the page.
  ///   - slots: The names that a row's template may use.
  ///   - rows: The rows, in order.
  public static func rows<Source, Row>(
    _ name: String,
    list: (@Sendable (Model) -> String)? = nil,
    _ slots: Slots<Row>,
    _ rows: @escaping @Sendable (Model) -> ListRows<Source, Row>
  ) -> Slot {
    .rows(
      name,
      list: list,
      slots,
      isEmpty: { rows($0).count == 0 },
      render: { Rendering.required.render(list?($0) ?? name, rows($0), $1) }
    )
  }

  private static func rows<Row>(
    _ name: String,
    list: (@Sendable (Model) -> String)?,
    _ slots: Slots<Row>,
    isEmpty: @escaping @Sendable (Model) -> Bool,
    render: @escaping @Sendable (Model, TemplateProgram<Row>) -> RenderedList
  ) -> Slot where Row: Identifiable & Sendable {
    Slot.section(
      name,
      isEmpty: isEmpty,
      { section in
        try section.requireContainer(
          attribute: "data-list",
          value: list == nil ? name : "{{\(section.name).list}}"
        )
        try RowScope.refuse("list \"\(name)\"", at: section.position)
        let program = try RowScope.$isInRow.withValue(true) {
          try section.compile(slots) { row, writer in
            writer.write(" data-key=\"")
            writer.escape("\(row.id)")
            writer.write("\"")
            writer.hole(RowOverlay())
          }
        }
        return { model, writer in writer.hole(render(model, program)) }
      }
    ).with(members: list.map { list in [.text("list") { list($0) }] } ?? [])
  }
}

/// The row of a list whose template is being compiled.
enum RowScope {
  @TaskLocal static var isInRow = false

  /// - Throws: `TemplateError` inside a row.
  static func refuse(_ what: String, at position: TemplatePosition) throws {
    guard self.isInRow else { return }
    throw position.error(
      "the \(what) is inside a row of a list, which is patched as a whole: show it with .each there"
    )
  }
}
