import HTMLTemplates
import ImmutableData
public import ImmutableUI

/// Songs in an order that visitors arrange, each with the time when it begins.
public struct Songs: Root, Presenter {
  public typealias State = FixtureState

  private struct Row: Equatable, Identifiable, Sendable {
    let id: Song.ID
    let begins: String
    let moves: [FieldOption]
  }

  @SelectSongs private var songs

  public init(_ local: NoLocalState) {}

  public static var page: Page<Self> {
    Page(Self.self, at: "/songs", title: "Songs").unlisted()
  }

  private var rows: [Row] {
    self.songs.indices.map { index in
      let up = RowMove(up: index, in: self.songs)?.button("Up")
      let down = RowMove(down: index, in: self.songs)?.button("Down")
      let song = self.songs[index]
      return Row(id: song.id, begins: song.begins, moves: [up, down].compactMap(\.self))
    }
  }

  private static let moves = Field<RowMove>.choice("move", .buttons, "Press a button.")

  private static let arrange = Form<FixtureAction>("arrange", .repeatable, fields: Self.moves) {
    .ui(.onTapArrangeButton($0))
  }

  public static let template = Template<Self>([
    .form("arrange", Self.arrange),
    .rows(
      "songs",
      [
        .text("name") { $0.id },
        .text("begins") { $0.begins },
        .field("moves", Self.moves, options: { $0.moves }),
      ]
    ) { $0.rows },
  ])
}
