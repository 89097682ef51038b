import ImmutableUI

/// Names a place on the wire; never used twice in one boot.
typealias PlaceID = Int

/// What a ``WindowGroup`` has its hubs do, in order.
public enum Order: Sendable {
  /// Everybody at a place is sent its newest content.
  case frame(Frame)
  /// Everybody at a place is taken to another.
  case move(Move)
  /// One window is put at a place.
  case show(Show)
  /// One stream is told that it is at least at this version, if it was not told more.
  case version(Version)
  /// A window has left.
  case leave(stream: Identifier, window: Identifier)
  /// A last event for everybody; then the streams end.
  case goodbye(StreamEvent)
}

public struct Frame: Sendable {
  let place: PlaceID
  let version: UInt64
  let from: Composition
  let to: Composition
  let event: StreamEvent
}

public struct Move: Sendable {
  let place: PlaceID
  let to: PlaceID
  let version: UInt64
  let from: Composition
  let composition: Composition
  let event: StreamEvent
}

public struct Show: Sendable {
  let stream: Identifier
  let window: Identifier
  let place: PlaceID
  let version: UInt64
  let composition: Composition
  /// What the window shows, by its own word: what to show it from if this cannot be written.
  let tags: [String: String]
  let event: StreamEvent
}

public struct Version: Sendable {
  let stream: Identifier
  let version: UInt64
  let event: StreamEvent
}
