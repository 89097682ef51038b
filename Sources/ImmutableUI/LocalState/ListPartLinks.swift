import HTMLTemplates

/// Says which part of a long list a window shows, with links to the others; nothing, if there is but one.
///
/// ```swift
/// ListPartLinks(\Local.part, showing: self.part, of: self.animals, selection: self.animalId)
/// ```
///
/// Its region is best its own: rows are then shared by windows that have selected different ones. Its
/// template is in `Templates/ImmutableUI`.
public struct ListPartLinks<Local: LocalState>: Presenter {
  public typealias Property = any WritableKeyPath<Local, ListPart.Number> & Sendable

  private let property: Property
  private let part: ListPart
  /// The part that has the selected row, if that is another.
  private let selected: ListPart.Number?

  /// - Parameters:
  ///   - property: Which part a window shows.
  ///   - number: That of this window.
  ///   - list: All rows.
  ///   - selection: The id of the selected row.
  /// - Complexity: O(n), n rows of a list of several parts in which one is selected; else O(1).
  public init<Element: Identifiable>(
    _ property: Property,
    showing number: ListPart.Number,
    of list: [Element],
    selection: Element.ID?
  ) {
    self.property = property
    self.part = ListPart(number, of: list.count)
    self.selected =
      self.part.isOneOfSeveral && selection != nil
      ? list.firstIndex { $0.id == selection }.flatMap(self.part.otherPart) : nil
  }

  public static var template: Template<Self> {
    Template(
      named: "ImmutableUI/LocalState/ListPartLinks",
      [
        .flag("isOneOfSeveral") { $0.part.isOneOfSeveral },
        .text("text") { $0.part.text },
        .optional("previous", Target.slots) { $0.target($0.part.previous) },
        .optional("next", Target.slots) { $0.target($0.part.next) },
        .optional("selected", Target.slots) { $0.target($0.selected) },
      ]
    )
  }

  private func target(_ number: ListPart.Number?) -> Target? {
    number.map { Target(property: self.property, number: $0) }
  }

  /// Where a link leads.
  private struct Target: Sendable {
    let property: Property
    let number: ListPart.Number

    static var slots: Slots<Self> {
      [
        .link("show", Local.self) { local, target in
          local[dynamicMember: target.property] = target.number
        }
      ]
    }
  }
}
