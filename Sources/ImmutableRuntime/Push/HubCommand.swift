import ImmutableUI

/// Identifies a place in the protocol; never reused within a boot.
typealias PlaceID = Int

/// A command from a ``WindowGroup`` to its hubs, which carry out commands in order.
public enum HubCommand: Sendable {
  /// Send its newest content to all windows at a place.
  case frame(Frame)
  /// Move all windows at a place to another place.
  case move(Move)
  /// Put one window at a place.
  case show(Show)
  /// Tell a window that it has reached this version, unless it already knows.
  case version(UInt64, stream: Identifier, window: Identifier)
  /// Tell one window of a stream something that is not content: a toast, or that it could not join.
  case tell(stream: Identifier, StreamEvent)
  /// Tell all windows at a place how many windows show its page.
  case presence(place: Int, StreamEvent)
  /// End streams without a last event, like a network failure.
  case cut(streams: Set<Identifier>)
  /// Remove a window that has left.
  case leave(stream: Identifier, window: Identifier)
  /// Send a last event to all streams, then end them. If `isLast`, also end all streams that open
  /// later.
  case goodbye(StreamEvent, isLast: Bool)
}

extension HubCommand {
  /// Whether it also concerns streams that open later.
  package var concernsLaterStreams: Bool {
    if case .goodbye(_, let isLast) = self { isLast } else { false }
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
    /// The tags of what the window shows, as it reported them. Used to show it later if this cannot
    /// be written.
    let tags: [String: String]
    let event: StreamEvent
  }
}
