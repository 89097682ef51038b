import HashTreeCollections
public import ImmutableData
public import ImmutableUI

/// A small product that has everything a product can have, for tests of what products stand on.
public struct FixtureState: StoreState {
  public typealias Action = FixtureAction

  public var ticks = 0
  public var items: [Item] = []
  public var cards = ["A", "B", "C"].map { Card(id: $0, column: .todo) }
  public var note: Note?
  public var guests: [Guest] = []
  public var songs = Table<Song>()

  public init(items: [Item] = []) {
    self.items = items
    self.songs.insert(
      [Song(id: "A", begins: "2030-01-01T00:00:30Z"), Song(id: "B~1"), Song(id: "C 50%")])
  }
}

public struct Item: Hashable, Identifiable, Sendable {
  public let id: String
  public var name: String

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

public struct Card: Hashable, Identifiable, Sendable {
  public enum Column: String, CaseIterable, Sendable { case todo, doing, done }

  public let id: String
  public var column: Column
}

/// A visitor who has signed the guest book.
public struct Guest: Hashable, Identifiable, Sendable {
  public let id: String
  public let visitor: Visitor
}

/// A song, whose name is its id.
public struct Song: ArrangedRow, Hashable, Sendable {
  public let id: String
  /// When it begins, as in ISO 8601.
  public var begins = "2030-01-01T01:00:00Z"
  public var position: RowPosition?

  public var placeWithoutPosition: String { self.id }
}

/// What was entered into the fields of the board, as text.
public struct Note: Hashable, Sendable {
  public let text: String
  public let lines: [String]

  public init(text: String, lines: [String]) {
    self.text = text
    self.lines = lines
  }
}

public enum FixtureAction: Sendable {
  case ui(UI)
  case data(Data)

  public enum UI: Sendable {
    case onTapTickButton
    case onTapAddButton(id: String, name: String)
    case onTapDeleteButton(id: String)
    case onTapSaveButton(Note)
    case onTapMoveButton(id: String, column: Card.Column)
    case onTapSignButton(Guest)
    case onTapArrangeButton(RowMove)
  }

  public enum Data: Sendable {
    case didLoad(items: [Item])
    case didRename(id: String, name: String)
  }
}

public enum FixtureReducer {
  @Sendable public static func reduce(
    state: FixtureState,
    action: FixtureAction
  ) throws -> FixtureState {
    var state = state
    switch action {
    case .ui(.onTapTickButton):
      state.ticks += 1
    case .ui(.onTapAddButton(let id, let name)):
      guard state.items.contains(where: { $0.name == name }) == false else {
        throw Refusal(.conflict, "There is an item with this name already. Choose another.")
      }
      state.items.append(Item(id: id, name: name))
    case .ui(.onTapDeleteButton(let id)):
      state.items.removeAll { $0.id == id }
    case .ui(.onTapSaveButton(let note)):
      guard note.text != "refuse" else {
        throw Refusal(.conflict, "This text is refused.", fields: ["text": "Enter another."])
      }
      state.note = note
    case .ui(.onTapMoveButton(let id, let column)):
      // At the end of its column.
      if let index = state.cards.firstIndex(where: { $0.id == id }) {
        var card = state.cards.remove(at: index)
        card.column = column
        state.cards.append(card)
      }
    case .ui(.onTapSignButton(let guest)):
      state.guests.append(guest)
    case .ui(.onTapArrangeButton(let move)):
      let position = state.songs.rows.position(after: move.after, before: move.before)
      guard let position else {
        throw Refusal(.conflict, "This song cannot be moved there.")
      }
      state.songs[move.id]?.position = position
    case .data(.didLoad(let items)):
      state.items = items
    case .data(.didRename(let id, let name)):
      if let index = state.items.firstIndex(where: { $0.id == id }) {
        state.items[index].name = name
      }
    }
    return state
  }
}

extension FixtureState {
  public static func selectTicks() -> @Sendable (Self) -> Int {
    { state in state.ticks }
  }

  public static func selectCards() -> @Sendable (Self) -> [Card] {
    { state in state.cards }
  }

  public static func selectGuests() -> @Sendable (Self) -> [Guest] {
    { state in state.guests }
  }

  public static func selectSongs() -> @Sendable (Self) -> [Song] {
    { state in state.songs.rows.values.sorted { $0.place < $1.place } }
  }

  public static func selectItems() -> @Sendable (Self) -> [Item] {
    { state in state.items }
  }

  public static func selectItem(id: String?) -> @Sendable (Self) -> Item? {
    { state in state.items.first { $0.id == id } }
  }

  public static func selectItemsValues(
    search: String,
    order: Order
  ) -> @Sendable (Self) -> [Item] {
    { state in
      state.items
        .filter { search.isEmpty || $0.name.lowercased().contains(search.lowercased()) }
        .sorted { order == .forward ? $0.name < $1.name : $0.name > $1.name }
    }
  }

  public static func filterItems() -> @Sendable (Self, FixtureAction) -> Bool {
    { _, action in
      switch action {
      case .ui(.onTapTickButton): false
      default: true
      }
    }
  }
}

public enum Order: String, Sendable {
  case forward
  case reverse
}
