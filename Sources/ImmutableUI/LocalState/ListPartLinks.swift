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
public struct ListPartLinks<Local: LocalState, List: ListSelector, Row: RowSelector>: Component
where List.Row == Row.Row, Row.Row.ID: LosslessStringConvertible {
  public typealias Start = ListPart.Start<Row.Row.ID>
  private typealias Links = PartLinks<Local, Row.Row.ID>
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

  public var body: some Component {
    let rows = self.list.wrappedValue
    let part = ListPart(of: rows, from: self.start, at: self.firstRow.wrappedValue)
    func target(_ index: Int?) -> Links.Target? {
      // The first part has no name, because it shows whatever is new.
      index.map { index in
        Links.Target(
          property: self.property,
          start: index > 0 ? Start(id: rows[index].id, index: index) : nil)
      }
    }
    guard part.isOneOfSeveral else { return Links() }
    let startOfSelected = self.selection.wrappedValue.flatMap(rows.index(of:))
      .flatMap(part.startOfOther(having:))
    return Links(
      text: part.text,
      previous: target(part.startOfPrevious),
      next: target(part.startOfNext),
      // If that is another part.
      selected: target(startOfSelected)
    )
  }
}

/// What is shown of the parts; nothing if there is only one.
private struct PartLinks<Local: LocalState, ID>: Presenter, Hashable
where ID: LosslessStringConvertible & Hashable & Sendable {
  typealias Start = ListPart.Start<ID>

  var text: String?
  var previous: Target?
  var next: Target?
  var selected: Target?

  static var template: Template<Self> {
    Template(
      named: "ImmutableUI/LocalState/ListPartLinks",
      [
        .flag("isOneOfSeveral") { $0.text != nil },
        .text("text") { $0.text ?? "" },
        .optional("previous", Target.slots) { $0.previous },
        .optional("next", Target.slots) { $0.next },
        .optional("selected", Target.slots) { $0.selected },
      ]
    )
  }

  /// The target of a link.
  struct Target: Hashable, Sendable {
    let property: any WritableKeyPath<Local, Start?> & Sendable
    let start: Start?

    static var slots: Slots<Self> {
      [
        .link("show", Local.self) { local, target in
          local[dynamicMember: target.property] = target.start
        }
      ]
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.start == rhs.start && lhs.property as AnyKeyPath == rhs.property as AnyKeyPath
    }

    func hash(into hasher: inout Hasher) { hasher.combine(self.start) }
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
