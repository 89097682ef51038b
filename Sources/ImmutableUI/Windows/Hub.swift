import Metrics

/// The streams of one event loop, and what each of their windows has been sent.
///
/// It is a state machine: orders and writability in, writes out. It owns no thread and no clock, and
/// is not Sendable: whoever owns it calls it from one thread.
///
/// A stream is either current (it has been written everything) or behind. While it is behind it
/// holds no queue: for each of its places the hub knows which composition it has, and once it can
/// be written it gets the difference to the newest.
public final class Hub {
  /// Shows a window anew that moved while its stream was behind, from the tags of what it has.
  public typealias ShowAgain = (_ window: Identifier, _ tags: [String: String]) -> Void

  final class Stream {
    let sink: any StreamSink
    var places: [PlaceState] = []
    var version: UInt64
    /// Windows that must be shown anew, with the tags of what they have.
    var outdated: [Identifier: [String: String]] = [:]
    var behindSince: ContinuousClock.Instant?
    var owesVersion: UInt64?

    init(sink: any StreamSink, version: UInt64) {
      self.sink = sink
      self.version = version
    }

    func write(_ event: StreamEvent, _ version: UInt64) {
      self.sink.write(event)
      self.version = max(self.version, version)
    }

    /// Where a place stands among those of this stream, which are few.
    func index(of place: PlaceID) -> Int? {
      // No closure, which would be given a copy of each place.
      for index in self.places.indices where self.places[index].id == place {
        return index
      }
      return nil
    }

    func fallBehind(_ now: ContinuousClock.Instant) {
      if self.behindSince == nil {
        self.behindSince = now
      }
    }
  }

  /// What a stream has of one place, for all of its windows there.
  struct PlaceState {
    let id: PlaceID
    /// `nil` when it was behind for long: then it will be sent everything.
    var received: Composition?
    var windows: [Identifier]
    /// Where the stream stands among those of the place.
    var position: Int
  }

  struct Newest {
    var composition: Composition
    var version: UInt64
  }

  var streams: [Identifier: Stream] = [:]
  private var streamsByPlace: [PlaceID: [Stream]] = [:]
  private(set) var newest: [PlaceID: Newest] = [:]
  let showAgain: ShowAgain
  /// Frames that a stream was not sent, since it was behind: it gets a later one.
  private let droppedFrames = Counter(label: "frames_dropped")
  /// What streams are told that come after the end.
  private var goodbye: StreamEvent?

  public init(showAgain: @escaping ShowAgain) {
    self.showAgain = showAgain
  }

  public var streamCount: Int {
    self.streams.count
  }
}

// Streams come and go.
extension Hub {
  /// - Parameter version: That of the event that has been written to it.
  public func open(_ id: Identifier, _ sink: any StreamSink, version: UInt64) {
    if let goodbye = self.goodbye {
      sink.write(goodbye)
      sink.close()
    } else {
      self.streams[id] = Stream(sink: sink, version: version)
    }
  }

  /// The sink of a stream that is open.
  public func sink(of id: Identifier) -> (any StreamSink)? {
    self.streams[id]?.sink
  }

  public func remove(_ id: Identifier) {
    guard let stream = self.streams.removeValue(forKey: id) else { return }
    for place in stream.places {
      self.forget(place)
    }
  }

  /// Writes an event to every stream that is writable: the heartbeat.
  public func writeToAll(_ event: StreamEvent) {
    for stream in self.streams.values where stream.sink.isWritable {
      stream.sink.write(event)
    }
  }
}

// Orders.
extension Hub {
  /// Carries out orders.
  ///
  /// - Parameter now: For how long a stream has been behind is counted from here.
  /// - Complexity: O(w) for the w streams at the places concerned; a write each.
  public func perform(_ orders: [Order], now: ContinuousClock.Instant) {
    for order in orders {
      switch order {
      case .frame(let frame):
        self.perform(frame, now)
      case .move(let move):
        self.perform(move, now)
      case .show(let show):
        self.perform(show, now)
      case .version(let version):
        self.perform(version, now)
      case .leave(let stream, let window):
        if let stream = self.streams[stream] {
          self.remove(window, from: stream)
        }
      case .goodbye(let event):
        for stream in self.streams.values {
          stream.sink.write(event)
          stream.sink.close()
        }
        self.streams.removeAll()
        self.streamsByPlace.removeAll()
        self.newest.removeAll()
        self.goodbye = event
        return
      }
    }
  }

  private func perform(_ frame: Frame, _ now: ContinuousClock.Instant) {
    guard let streams = self.streamsByPlace[frame.place] else { return }
    self.newest[frame.place] = Newest(composition: frame.to, version: frame.version)
    for stream in streams {
      guard stream.behindSince == nil, stream.sink.isWritable,
        let index = stream.index(of: frame.place),
        stream.places[index].received === frame.from
      else {
        self.droppedFrames.increment()
        stream.fallBehind(now)
        continue
      }
      stream.write(frame.event, frame.version)
      stream.places[index].received = frame.to
    }
  }

  private func perform(_ move: Move, _ now: ContinuousClock.Instant) {
    guard let streams = self.streamsByPlace.removeValue(forKey: move.place) else { return }
    self.newest[move.place] = nil
    for stream in streams {
      guard let index = stream.index(of: move.place) else { continue }
      let place = stream.places.remove(at: index)
      if stream.behindSince == nil, stream.sink.isWritable, place.received === move.from {
        stream.write(move.event, move.version)
        for window in place.windows {
          self.put(window, of: stream, at: move.to, move.composition, move.version)
        }
      } else {
        for window in place.windows {
          stream.outdated[window] = place.received?.tags ?? [:]
        }
        stream.fallBehind(now)
      }
    }
  }

  private func perform(_ show: Show, _ now: ContinuousClock.Instant) {
    guard let stream = self.streams[show.stream] else { return }
    self.remove(show.window, from: stream)
    guard stream.behindSince == nil, stream.sink.isWritable else {
      stream.outdated[show.window] = show.tags
      stream.fallBehind(now)
      return
    }
    stream.outdated[show.window] = nil
    stream.write(show.event, show.version)
    self.put(show.window, of: stream, at: show.place, show.composition, show.version)
  }

  private func perform(_ version: Version, _ now: ContinuousClock.Instant) {
    guard let stream = self.streams[version.stream], stream.version < version.version else {
      return
    }
    guard stream.behindSince == nil, stream.sink.isWritable else {
      stream.owesVersion = max(stream.owesVersion ?? 0, version.version)
      stream.fallBehind(now)
      return
    }
    stream.write(version.event, version.version)
  }
}

extension Hub {
  private func put(
    _ window: Identifier,
    of stream: Stream,
    at place: PlaceID,
    _ composition: Composition,
    _ version: UInt64
  ) {
    if let index = stream.index(of: place) {
      stream.places[index].windows.append(window)
      return
    }
    stream.places.append(
      PlaceState(
        id: place,
        received: composition,
        windows: [window],
        position: self.streamsByPlace[place, default: []].count
      )
    )
    self.streamsByPlace[place, default: []].append(stream)
    self.newest[place] = Newest(composition: composition, version: version)
  }

  private func remove(_ window: Identifier, from stream: Stream) {
    stream.outdated[window] = nil
    for (index, place) in stream.places.enumerated() {
      guard let position = place.windows.firstIndex(of: window) else { continue }
      stream.places[index].windows.remove(at: position)
      if stream.places[index].windows.isEmpty {
        stream.places.remove(at: index)
        self.forget(place)
      }
      return
    }
  }

  /// Takes a stream out of those at a place: the last of them takes its position.
  private func forget(_ place: PlaceState) {
    guard let last = self.streamsByPlace[place.id]?.popLast() else { return }
    if self.streamsByPlace[place.id]?.isEmpty == true {
      self.streamsByPlace[place.id] = nil
      self.newest[place.id] = nil
    } else if place.position < self.streamsByPlace[place.id, default: []].count {
      self.streamsByPlace[place.id]?[place.position] = last
      if let index = last.index(of: place.id) {
        last.places[index].position = place.position
      }
    }
  }
}
