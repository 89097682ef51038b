import HTMLTemplates
public import ImmutableData

/// Says which part of a long list a window shows, with links to the other parts. It shows nothing
/// if there is only one part.
///
/// ```swift
/// .region("part") {
///   ListPartLinks(
///     \Local.start,
///     from: $0.local.start,
///     at: SelectAnimal(animalId: $0.local.start?.id),
///     of: SelectAnimalsValues(categoryId: $0.local.categoryId),
///     selection: SelectAnimal(animalId: $0.local.animalId)
///   )
/// }
/// ```
///
/// It is its own region, so that windows with different selections share the rows. Its template is
/// in `Templates/ImmutableUI`.
public struct ListPartLinks<Local: LocalState, List: ListSelector, Row: RowSelector>: Presenter
where List.Row == Row.Row, Row.Row.ID: LosslessStringConvertible {
  public typealias Start = ListPart.Start<Row.Row.ID>
  public typealias Property = any WritableKeyPath<Local, Start?> & Sendable

  private let property: Property
  private let start: Start?
  private let firstRow: Row
  private let list: List
  private let selection: Row

  /// - Parameters:
  ///   - property: The start of the part that a window shows; `nil` for the first part.
  ///   - start: The start of this window's part.
  ///   - firstRow: Selects the row that `start` names.
  ///   - list: Selects all rows.
  ///   - selection: Selects the selected row.
  public init(
    _ property: Property,
    from start: Start?,
    at firstRow: Row,
    of list: List,
    selection: Row
  ) {
    self.property = property
    self.start = start
    self.firstRow = firstRow
    self.list = list
    self.selection = selection
  }

  private var part: ListPart {
    ListPart(of: self.list.wrappedValue, from: self.start, at: self.firstRow.wrappedValue)
  }

  /// The start of the part with the selected row, if that is another part.
  private var startOfSelected: Int? {
    guard self.part.isOneOfSeveral else { return nil }
    return self.selection.wrappedValue.flatMap(self.list.wrappedValue.index(of:))
      .flatMap(self.part.startOfOther(having:))
  }

  public static var template: Template<Self> {
    Template(
      named: "ImmutableUI/LocalState/ListPartLinks",
      [
        .flag("isOneOfSeveral") { $0.part.isOneOfSeveral },
        .text("text") { $0.part.text },
        .optional("previous", Target.slots) { $0.target($0.part.startOfPrevious) },
        .optional("next", Target.slots) { $0.target($0.part.startOfNext) },
        .optional("selected", Target.slots) { $0.target($0.startOfSelected) },
      ]
    )
  }

  private func target(_ index: Int?) -> Target? {
    // The first part has no name, because it shows whatever is new.
    index.map { index in
      Target(
        property: self.property,
        start: index > 0 ? Start(id: self.list.wrappedValue[index].id, index: index) : nil
      )
    }
  }

  /// The target of a link.
  private struct Target: Sendable {
    let property: Property
    let start: Start?

    static var slots: Slots<Self> {
      [
        .link("show", Local.self) { local, target in
          local[dynamicMember: target.property] = target.start
        }
      ]
    }
  }
}

extension ListPartLinks: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.property as AnyKeyPath == rhs.property as AnyKeyPath && lhs.start == rhs.start
      && lhs.firstRow == rhs.firstRow && lhs.list == rhs.list && lhs.selection == rhs.selection
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.start)
    hasher.combine(self.firstRow)
    hasher.combine(self.list)
    hasher.combine(self.selection)
  }
}

/// A product's property wrapper that selects a sorted list.
public protocol ListSelector: Hashable, Sendable {
  associatedtype Row: Identifiable & Hashable & Sendable where Row.ID: Sendable

  var wrappedValue: SortedRows<Row> { get }
}

/// A product's property wrapper that selects a row by its id.
public protocol RowSelector: Hashable, Sendable {
  associatedtype Row: Identifiable where Row.ID: Sendable

  var wrappedValue: Row? { get }
}
