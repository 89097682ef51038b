import HTMLTemplates
import ImmutableData
public import ImmutableUI

/// A guest book, in which each visitor finds their own entries.
public struct Guests: Root, Presenter {
  public typealias State = FixtureState

  public struct Local: LocalState {
    /// Who looks at it.
    private(set) var me: Visitor?

    public init() {}

    public static let parameters: [Parameter<Self>] = []

    public mutating func resolve(in environment: WindowEnvironment) {
      self.me = environment.visitor
    }
  }

  private struct Row: Equatable, Identifiable, Sendable {
    let id: Guest.ID
    let visitor: String
    let isMine: Bool
  }

  @SelectGuests private var guests
  private let me: Visitor?

  public init(_ local: Local) {
    self.me = local.me
  }

  public static var page: Page<Self> {
    Page(Self.self, at: "/guests", title: "Guests").unlisted()
  }

  private static let sign = Form<FixtureAction>("sign", .repeatable, fields: .submission, .visitor)
  {
    .ui(.onTapSignButton(Guest(id: $0, visitor: $1)))
  }

  public static let template = Template<Self>([
    .form("sign", Self.sign),
    .rows(
      "guests", [.text("visitor") { $0.visitor }, .flag("isMine") { $0.isMine }] as Slots<Row>
    ) { model in
      model.guests.map {
        Row(id: $0.id, visitor: $0.visitor.rawValue, isMine: $0.visitor == model.me)
      }
    },
  ])
}
