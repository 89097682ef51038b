import HTMLTemplates

/// Says which part of a long list a window shows, with links to the others; nothing, if there is but one.
///
/// ```swift
/// .region("part") {
///   ListPartLinks(
///     \Local.part,
///     showing: $0.local.part,
///     of: SelectAnimalsValues(categoryId: $0.local.categoryId),
///     selection: $0.local.animalId
///   )
/// }
/// ```
///
/// It is a region of its own, so that windows share the rows which have selected different ones. Its
/// template is in `Templates/ImmutableUI`.
public struct ListPartLinks<Local: LocalState, List: ListSelector>: Presenter {
  public typealias Property = any WritableKeyPath<Local, ListPart.Number> & Sendable

  private let property: Property
  private let number: ListPart.Number
  private let list: List
  private let selection: List.Rows.Element.ID?

  /// - Parameters:
  ///   - property: Which part a window shows.
  ///   - number: That of this window.
  ///   - list: Selects all rows.
  ///   - selection: The id of the selected row.
  public init(
    _ property: Property,
    showing number: ListPart.Number,
    of list: List,
    selection: List.Rows.Element.ID?
  ) {
    self.property = property
    self.number = number
    self.list = list
    self.selection = selection
  }

  private var part: ListPart { ListPart(self.number, of: self.list.wrappedValue.count) }

  /// The part that has the selected row, if that is another.
  ///
  /// - Complexity: O(n), n rows, if there are several parts.
  private var selected: ListPart.Number? {
    guard self.part.isOneOfSeveral, let selection = self.selection else { return nil }
    return self.list.wrappedValue.firstIndex { $0.id == selection }.flatMap(self.part.otherPart)
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

extension ListPartLinks: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.property as AnyKeyPath == rhs.property as AnyKeyPath && lhs.number == rhs.number
      && lhs.list == rhs.list && lhs.selection == rhs.selection
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.number)
    hasher.combine(self.list)
    hasher.combine(self.selection)
  }
}

/// What selects a list, sorted: a property wrapper of a product.
public protocol ListSelector: Hashable, Sendable {
  associatedtype Rows: RandomAccessCollection
  where Rows.Index == Int, Rows.Element: Identifiable, Rows.Element.ID: Sendable

  var wrappedValue: Rows { get }
}
