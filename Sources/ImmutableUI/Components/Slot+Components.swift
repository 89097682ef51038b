public import HTMLTemplates

extension Slot {
  /// A component, written where the template names it. It is part of the surrounding region.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - component: Makes it from the model.
  public static func component<Child: Component>(
    _ name: String,
    _ component: @escaping @Sendable (Model) -> Child
  ) -> Slot {
    .writer(name) { _ in
      try Child.prepareIfCompiling()
      return { model, writer in component(model).render(into: &writer) }
    }
  }

  /// A component that is its own region: it is rendered once for all windows that show an equal
  /// one, and patched independently.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template; unique on the page.
  ///   - element: The element around it: `g` inside `svg`.
  ///   - component: Makes it from the model.
  public static func region<Child: Component & Hashable>(
    _ name: String,
    in element: RegionElement = .div,
    _ component: @escaping @Sendable (Model) -> Child
  ) -> Slot {
    .writer(name) { position in
      try RowScope.refuse("region \"\(name)\"", at: position)
      try Child.prepareIfCompiling()
      return { model, writer in
        writer.write(nestedRegion: name, in: element, RegionComponent(component(model)))
      }
    }
  }
}

/// The element around a region. It does not create a box of its own.
public enum RegionElement: Sendable {
  case div
  case g
}

extension Component {
  fileprivate static func prepareIfCompiling() throws {
    if let templates = TemplateSet.compiling {
      try Self.prepare(templates)
    }
  }
}
