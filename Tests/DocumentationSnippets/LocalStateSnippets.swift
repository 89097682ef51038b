import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
public import ImmutableUI

// docs/PRODUCTS.md, *Local state, forms and sheets*, with what its editor stands for.

public struct AnimalsLocal: LocalState {
  var selectedCategoryId: Category.ID?
  var selectedAnimalId: Animal.ID?
  var sheet = Presented<Sheet>()

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("category", \.selectedCategoryId),
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet),
  ]
}

enum Sheet: String, Sendable {
  case add
  case edit
}

struct AnimalEditor: Presenter {
  let shown: Animal?
  let sheet: Presented<Sheet>

  static let template = Template<Self>([
    .link("add", AnimalsLocal.self) { local, _ in local.sheet.value = .add },
    .form("save", AnimalEditor.save, closing: \AnimalsLocal.sheet),
    .field("name", AnimalEditor.name) { $0.shown?.name },
    .link("cancel", AnimalsLocal.self) { local, _ in local.sheet.value = nil },
    .flag("isSaving") { $0.sheet.isWaiting },
    .optionalText("failure") { $0.sheet.failure },
  ])

  static let name = Field<String>.text("name", required: "Enter a name.")

  static let save = Form<AnimalsAction>("save", fields: .submission, name) { submission, name in
    .ui(
      .animalEditor(
        .onTapAddAnimalButton(id: submission, name: name, diet: .herbivorous, categoryId: "Mammal"))
    )
  }
}

// docs/PRODUCTS.md, the fields of an item.

enum Shop: String, CaseIterable, Sendable { case fish, meat }
enum Tag: String, CaseIterable, Sendable { case big, small }

struct ItemEditor: Presenter {
  struct Item: Sendable {
    let amount: Int
  }

  let item: Item?

  static let amount = Field<Int>.number("amount", "Enter 1 to 99.", in: 1...99)
  static let note = Field.textarea("note", limit: 500)
  static let isUrgent = Field.checkbox("isUrgent")
  static let shop = Field<Shop>.choice("shop", of: Shop.allCases, prompt: "Any", "Choose a shop.")
  static let tags = Field<[Tag]>.several("tags", .select, of: Tag.allCases)
  static let anyShop = shop.optional()  // its prompt stands for nil
  static let due = Field.date("due", "Choose a day.").optional()  // a CalendarDay?
  static let begins = Field.time("begins", "Choose a time.")  // a TimeOfDay

  static let template = Template<Self>([
    .field("amount", amount) { $0.item?.amount }
  ])
}

// docs/PRODUCTS.md, choices that depend on the state, and a time in the time zone of the window.

struct Ballot: Presenter {
  struct Option: Sendable {
    let id: String
    let text: String
  }

  struct Appointment: Sendable {
    let begins: Date
  }

  let options: [Option]

  static let option = Field<String>.choice("option", .boxes, "Choose an option.")

  static let template = Template<Self>([
    .field("option", option, options: { $0.options.map { FieldOption($0.id, $0.text) } })
  ])

  static let day = Field.date("day", "Choose a day.")
  static let begins = Field.time("begins", "Choose a time.")

  static let add = Form<Appointment>("add", fields: day, begins, .timeZone) {
    day, begins, timeZone in
    Appointment(begins: day.date(at: begins, in: timeZone))
  }
}

// docs/PRODUCTS.md, *Rows that differ between windows*.

struct ItemRow: Identifiable, Hashable, Sendable {
  let id: String
  let name: String

  static let chosen = Field<[String]>.several("chosen")

  static let slots: Slots<Self> = [
    .field("chosen", chosen, options: { [FieldOption($0.id, $0.name)] })
  ]
}

struct ItemListPage: Root, Presenter {
  typealias State = ItemState

  init(_ local: ItemLocal) {}

  static let references: [Reference<Self>] = [
    .selection(["items": \.item], of: ItemState.selectItem(id:))
  ]

  static let template = Template<Self>([])
}

// docs/PRODUCTS.md, the choices of an order, *Time*, and the page of one item.

enum ItemOrder: String, CaseIterable, Sendable { case name, day }

struct ItemsLocal: LocalState {
  var order = ItemOrder.name
  /// `nil` for today.
  var chosenDay: CalendarDay?
  private(set) var today = CalendarDay(of: .distantPast, in: .gmt)

  static let parameters: [Parameter<Self>] = [
    Parameter("order", \.order),
    Parameter("day", \.chosenDay),
  ]

  mutating func resolve(in environment: WindowEnvironment) {
    self.today = CalendarDay(of: environment.date, in: environment.timeZone)
  }
}

struct ItemOrders: Presenter {
  let local: ItemsLocal

  static let template = Template<Self>([
    .choices("order", \ItemsLocal.order) { $0.local.order }
  ])
}

struct ItemState: StoreState {
  struct Item: Identifiable, Sendable {
    let id: String
  }

  typealias Action = AnimalsAction

  var items: [Item] = []

  static func selectItem(id: String?) -> @Sendable (Self) -> Item? {
    { state in state.items.first { $0.id == id } }
  }
}

struct ItemLocal: LocalState {
  var item: ItemState.Item.ID?

  static let parameters: [Parameter<Self>] = [Parameter("item", \.item)]
}

struct ItemPage: Root, Presenter {
  typealias State = ItemState

  init(_ local: ItemLocal) {}

  static let references: [Reference<Self>] = [
    .selection(\.item) { id, state in state.items.contains { $0.id == id } }
  ]

  static let template = Template<Self>([])
}
