import HTMLTemplates
import ImmutableData
import ImmutableUI
import PlainText

// docs/PRODUCTS.md, *An order that people arrange* and *Undo for a while*.

struct Song: ArrangedRow, Codable, Hashable, Sendable {
  let id: String
  let title: String
  /// `nil` until somebody moves it.
  var position: RowPosition?

  /// Until then, songs are sorted by title.
  var placeWithoutPosition: String { self.title }
}

struct PlaylistState: StoreState, Codable {
  typealias Action = PlaylistAction

  var songs = Table<Song>()
  /// What was played last, for as long as that can be taken back.
  var lastPlayed: Song.ID?
}

enum PlaylistAction: Codable, Sendable {
  case onTapMoveButton(Song.ID, after: Song.ID?, before: Song.ID?)
  case onTapPlayButton(Song.ID)
  case onTapTakeBackButton(Song.ID)
}

enum PlaylistReducer {
  @Sendable static func reduce(state: PlaylistState, action: PlaylistAction) throws -> PlaylistState
  {
    var state = state
    switch action {
    case .onTapMoveButton(let id, let after, let before):
      guard let position = state.songs.rows.position(after: after, before: before) else {
        throw Refusal(.conflict, "This song cannot be moved there.")
      }
      state.songs[id]?.position = position
    case .onTapPlayButton(let id):
      state.lastPlayed = id
    case .onTapTakeBackButton(let id):
      guard state.lastPlayed == id else {
        throw Refusal(.gone, "It is too late to take this back.")
      }
      state.lastPlayed = nil
    }
    return state
  }
}

@propertyWrapper struct SelectSongs: Hashable, Sendable {
  @ImmutableUI.Selector(
    dependencySelector: \.songs,
    outputSelector: { (state: PlaylistState) in
      state.songs.rows.values.sorted { $0.place < $1.place }
    }
  ) var wrappedValue: [Song]

  init() {}
}

@propertyWrapper struct SelectFoundSongs: Hashable, Sendable {
  @ImmutableUI.Selector<PlaylistState.Store, [Song]> var wrappedValue: [Song]

  init(search: SearchText) {
    self._wrappedValue = ImmutableUI.Selector(id: search) { (state: PlaylistState) in
      state.songs.rows.values.filter { search.finds($0.title) }.sorted { $0.place < $1.place }
    }
  }
}

struct SongList: Presenter, Hashable {
  @SelectSongs private var songs: [Song]

  struct Row: Identifiable, Equatable, Sendable {
    let song: Song
    let moves: [FieldOption]

    var id: Song.ID { self.song.id }
  }

  private var rows: [Row] {
    self.songs.indices.map { index in
      let up = RowMove(up: index, in: self.songs)?.button("Up")
      let down = RowMove(down: index, in: self.songs)?.button("Down")
      return Row(song: self.songs[index], moves: [up, down].compactMap(\.self))
    }
  }

  static let moves = Field<RowMove>.choice("move", .buttons, "Press a button.")

  static let move = Form<PlaylistAction>("move", .repeatable, fields: moves) { move in
    .onTapMoveButton(move.id, after: move.after, before: move.before)
  }

  static let template = Template<Self>(
    named: "SongList",
    [
      .form("move", Self.move),
      .rows(
        "songs",
        [
          .text("title") { $0.song.title },
          .field("moves", Self.moves, options: { $0.moves }),
        ]
      ) { $0.rows },
    ])
}

extension PlaylistState {
  static func toast(for action: PlaylistAction, in state: PlaylistState) -> Toast<PlaylistState>? {
    guard case .onTapPlayButton(let id) = action, let song = state.songs[id] else { return nil }
    return Toast("“\(song.title)” plays.") { state in
      state.lastPlayed == id ? .onTapTakeBackButton(id) : nil
    }
  }
}
