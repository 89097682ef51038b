/// Names a place on the wire; never used twice in one boot.
typealias PlaceID = Int

/// What a ``WindowGroup`` has its hubs do, in order.
///
/// `Payload` is an event as a stream sends it: bytes here, whatever a sink writes fastest there.
public enum Order<Payload: Sendable>: Sendable {
  /// Everybody at a place is sent its newest content.
  case frame(Frame<Payload>)
  /// Everybody at a place is taken to another.
  case move(Move<Payload>)
  /// One window is put at a place.
  case show(Show<Payload>)
  /// One stream is told that it is at least at this version, if it was not told more.
  case version(Version<Payload>)
  /// A window has left.
  case leave(stream: Identifier, window: Identifier)
  /// A last event for everybody; then the streams end.
  case goodbye(Payload)

  /// The order with another kind of payload.
  public func map<Other>(_ transform: (Payload) -> Other) -> Order<Other> {
    switch self {
    case .frame(let frame):
      .frame(
        Frame(
          place: frame.place,
          version: frame.version,
          from: frame.from,
          to: frame.to,
          payload: transform(frame.payload)
        )
      )
    case .move(let move):
      .move(
        Move(
          place: move.place,
          to: move.to,
          version: move.version,
          from: move.from,
          composition: move.composition,
          payload: transform(move.payload)
        )
      )
    case .show(let show):
      .show(
        Show(
          stream: show.stream,
          window: show.window,
          place: show.place,
          version: show.version,
          composition: show.composition,
          tags: show.tags,
          payload: transform(show.payload)
        )
      )
    case .version(let version):
      .version(
        Version(
          stream: version.stream,
          version: version.version,
          payload: transform(version.payload)
        )
      )
    case .leave(let stream, let window): .leave(stream: stream, window: window)
    case .goodbye(let payload): .goodbye(transform(payload))
    }
  }
}

public struct Frame<Payload: Sendable>: Sendable {
  let place: PlaceID
  let version: UInt64
  let from: Composition
  let to: Composition
  let payload: Payload
}

public struct Move<Payload: Sendable>: Sendable {
  let place: PlaceID
  let to: PlaceID
  let version: UInt64
  let from: Composition
  let composition: Composition
  let payload: Payload
}

public struct Show<Payload: Sendable>: Sendable {
  let stream: Identifier
  let window: Identifier
  let place: PlaceID
  let version: UInt64
  let composition: Composition
  /// What the window shows, by its own word: what to show it from if this cannot be written.
  let tags: [String: String]
  let payload: Payload
}

public struct Version<Payload: Sendable>: Sendable {
  let stream: Identifier
  let version: UInt64
  let payload: Payload
}
