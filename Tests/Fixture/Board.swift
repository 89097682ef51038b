import HTMLTemplates
public import ImmutableData
public import ImmutableUI

/// A form and local state with a field of each kind, and cards in three columns.
public struct Board: Root {
  public typealias State = FixtureState

  public struct Local: LocalState {
    var text = ""
    var notes = ""
    var legs = 4
    var day: CalendarDay?
    var isUrgent = false
    var size: Size?
    var color = Color.red
    var tags: [Tag] = []
    var boxes: [Tag] = []
    var origin = ""

    public init() {}

    public static let parameters: [Parameter<Self>] = [
      Parameter(Fields.text, \.text),
      Parameter(Fields.notes, \.notes),
      Parameter(Fields.legs, \.legs),
      Parameter(Fields.day, \.day),
      Parameter(Fields.isUrgent, \.isUrgent),
      Parameter(Fields.size, \.size),
      Parameter(Fields.color, \.color),
      Parameter(Fields.tags, \.tags),
      Parameter(Fields.boxes, \.boxes),
      Parameter(Fields.origin, \.origin),
    ]
  }

  @SelectCards private var cards
  private let local: Local

  public init(_ local: Local) {
    self.local = local
  }

  public var body: some Component {
    Presenter(local: self.local, cards: self.cards)
  }

  public static var page: Page<Self> {
    Page(Self.self, at: "/board", title: "Board")
  }

  /// How the save of some texts ends, as if it took until a card is done.
  public static func status(of action: FixtureAction, in state: FixtureState) -> OperationStatus? {
    guard case .ui(.onTapSaveButton(let note)) = action else { return nil }
    let hasEnded = state.cards.contains { $0.column == .done }
    let failure = OperationStatus.failure(error: "The disk is full.")
    return switch note.text {
    case "fail": failure
    case "doomed": hasEnded ? failure : .waiting
    case "slow": hasEnded ? .success : .waiting
    default: nil
    }
  }
}

extension Board {
  public enum Size: String, CaseIterable, Sendable { case small, large }
  public enum Color: String, CaseIterable, Sendable { case red, green, blue }
  public enum Tag: String, CaseIterable, Sendable { case one, two, three }

  /// One field of each kind, for the form that posts and for local state.
  enum Fields {
    static let text = Field.text("text", required: "Enter a text.", limit: 20)
    static let notes = Field.textarea("notes", limit: 200)
    static let legs = Field<Int>.number("legs", "Enter a number from 0 to 8.", in: 0...8)
    static let day = Field.date("day", "Enter a day.")
    static let anyDay = Fields.day.optional()
    static let isUrgent = Field.checkbox("isUrgent")
    static let size = Field<Size>.choice("size", .boxes, of: Size.allCases, "Choose a size.")
    static let color = Field<Color>.choice("color", of: Color.allCases, "Choose a color.")
    static let tags = Field<[Tag]>.several("tags", .select, of: Tag.allCases)
    static let boxes = Field<[Tag]>.several("boxes", of: Tag.allCases)
    static let secret = Field<String>.hidden("secret")
    static let origin = Field<String>.hidden("origin")
  }

  private static let save = Form<FixtureAction>(
    "save",
    fields: Fields.secret, Fields.text, Fields.notes, Fields.legs, Fields.anyDay,
    Fields.isUrgent, Fields.size, Fields.color, Fields.tags, Fields.boxes
  ) { secret, text, notes, legs, day, isUrgent, size, color, tags, boxes in
    .ui(
      .onTapSaveButton(
        Note(
          text: text,
          lines: [
            secret, notes, "\(legs)", "\(day, default: "no day")", "\(isUrgent)", size.rawValue,
            color.rawValue, "\(tags)", "\(boxes)",
          ]
        )
      )
    )
  }

  private static let card = Field<String>.hidden("card")
  private static let column = Field<Card.Column>.choice(
    "column",
    .buttons,
    of: Card.Column.allCases,
    "Choose a column."
  )

  private static let move = Form<FixtureAction>("move", .repeatable, fields: Self.card, Self.column)
  {
    .ui(.onTapMoveButton(id: $0, column: $1))
  }

  private struct Column: Sendable {
    let name: String
    let cards: [Card]
  }

  private struct Presenter: ImmutableUI.Presenter {
    let local: Local
    let cards: [Card]

    var columns: [Column] {
      Card.Column.allCases.map { column in
        Column(name: column.rawValue, cards: self.cards.filter { $0.column == column })
      }
    }

    static let template = Template<Self>([
      .form(
        "save", Board.save, attributes: { _ in ["class": "quick", "id": "save", "data-reset": ""] }),
      .field("secret", Fields.secret) { _ in "secret" },
      .field("text", Fields.text),
      .field("notes", Fields.notes) { _ in "\nold" },
      .field("legs", Fields.legs) { _ in 4 },
      .field("day", Fields.anyDay),
      .field("isUrgent", Fields.isUrgent) { _ in true },
      .field("size", Fields.size) { _ in .small },
      .field("color", Fields.color) { _ in .green },
      .field("tags", Fields.tags) { _ in [.one] },
      .field("boxes", Fields.boxes) { _ in [.two] },
      .localForm("filter", Local.self),
      .field("urlText", Fields.text),
      .field("urlNotes", Fields.notes),
      .field("urlLegs", Fields.legs),
      .field("urlDay", Fields.day),
      .field("urlIsUrgent", Fields.isUrgent),
      .field("urlSize", Fields.size),
      .field("urlColor", Fields.color),
      .field("urlTags", Fields.tags),
      .field("urlBoxes", Fields.boxes),
      .field("urlOrigin", Fields.origin),
      .text("local") { $0.local.query.text },
      .link("item", to: FixtureContent.itemsPage) { local, model in
        local.selected = "item-1"
        local.order = model.local.isUrgent ? .reverse : .forward
      },
      .each(
        "columns",
        [
          .text("name") { $0.name },
          .text("count") { $0.cards.count },
          .rows(
            "cards",
            list: { $0.name },
            [
              .text("text") { $0.id },
              .form("move", Board.move),
              .field("card", Board.card) { $0.id },
              .field("column", Board.column),
            ]
          ) { $0.cards },
        ]
      ) { $0.columns },
    ])
  }
}
