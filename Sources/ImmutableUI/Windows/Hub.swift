/// Where one stream's events go.
public protocol StreamSink: AnyObject {
  associatedtype Payload: Sendable

  /// Whether what is written goes out soon. Nothing is written while it is false.
  var isWritable: Bool { get }

  /// Takes an event; it may wait for ``flush()``.
  func write(_ payload: Payload)

  /// Sends what was written.
  func flush()

  /// Sends what was written, then ends the stream.
  func close()

  /// Ends the stream of a client that takes nothing.
  func abort()
}

/// The streams of one event loop, and what each of their windows has been sent.
///
/// It is a state machine: orders and writability in, writes out. It owns no thread and no clock, and
/// is not Sendable: whoever owns it calls it from one thread.
///
/// A stream is either current (it has been written everything) or behind. While it is behind it
/// holds no queue: for each of its places the hub knows which composition it has, and once it can
/// be written it gets the difference to the newest.
public final class Hub<Sink: StreamSink> {
  /// What a hub asks of its group.
  public struct Upcall {
    /// Makes an event from bytes.
    let payload: ([UInt8]) -> Sink.Payload
    /// A window must be shown anew: its stream was behind when it moved.
    let show: (_ window: Identifier, _ tags: [String: String]) -> Void

    public init(
      payload: @escaping ([UInt8]) -> Sink.Payload,
      show: @escaping (_ window: Identifier, _ tags: [String: String]) -> Void
    ) {
      self.payload = payload
      self.show = show
    }
  }

  private final class Stream {
    let sink: Sink
    var places: [PlaceState] = []
    var version: UInt64
    /// Windows that must be shown anew, with the tags of what they have.
    var outdated: [Identifier: [String: String]] = [:]
    var behindSince: ContinuousClock.Instant?
    var owesVersion: UInt64?

    init(sink: Sink, version: UInt64) {
      self.sink = sink
      self.version = version
    }

    func fallBehind(_ now: ContinuousClock.Instant) {
      if self.behindSince == nil {
        self.behindSince = now
      }
    }
  }

  /// What a stream has of one place, for all of its windows there.
  private struct PlaceState {
    let id: PlaceID
    /// `nil` when it was behind for long: then it will be sent everything.
    var received: Composition?
    var windows: [Identifier]
  }

  private struct Newest {
    var composition: Composition
    var version: UInt64
  }

  private var streams: [Identifier: Stream] = [:]
  private var streamsByPlace: [PlaceID: [ObjectIdentifier: Stream]] = [:]
  private var newest: [PlaceID: Newest] = [:]
  private let upcall: Upcall

  public init(_ upcall: Upcall) {
    self.upcall = upcall
  }

  public var streamCount: Int {
    self.streams.count
  }
}

// Streams come and go.
extension Hub {
  /// - Parameter version: That of the event that has been written to it.
  public func open(_ id: Identifier, _ sink: Sink, version: UInt64) {
    self.streams[id] = Stream(sink: sink, version: version)
  }

  /// The sink of a stream that is open.
  public func sink(of id: Identifier) -> Sink? {
    self.streams[id]?.sink
  }

  public func remove(_ id: Identifier) {
    guard let stream = self.streams.removeValue(forKey: id) else { return }
    for place in stream.places {
      self.forget(stream, at: place.id)
    }
  }

  /// Writes a payload to every stream that is writable: the heartbeat.
  public func writeToAll(_ payload: Sink.Payload) {
    for stream in self.streams.values where stream.sink.isWritable {
      stream.sink.write(payload)
      stream.sink.flush()
    }
  }
}

// Orders.
extension Hub {
  /// Carries out orders.
  ///
  /// - Parameter now: For how long a stream has been behind is counted from here.
  /// - Complexity: O(w) for the w streams at the places concerned; a write each.
  public func perform(_ orders: [Order<Sink.Payload>], now: ContinuousClock.Instant) {
    var written: [ObjectIdentifier: Stream] = [:]
    for order in orders {
      switch order {
      case .frame(let frame):
        self.perform(frame, now, &written)
      case .move(let move):
        self.perform(move, now, &written)
      case .show(let show):
        self.perform(show, now, &written)
      case .version(let version):
        self.perform(version, &written)
      case .leave(let stream, let window):
        if let stream = self.streams[stream] {
          self.remove(window, from: stream)
        }
      case .goodbye(let payload):
        for stream in self.streams.values {
          stream.sink.write(payload)
          stream.sink.close()
        }
        self.streams.removeAll()
        self.streamsByPlace.removeAll()
        self.newest.removeAll()
        return
      }
    }
    for stream in written.values {
      stream.sink.flush()
    }
  }

  private func perform(
    _ frame: Frame<Sink.Payload>,
    _ now: ContinuousClock.Instant,
    _ written: inout [ObjectIdentifier: Stream]
  ) {
    guard let streams = self.streamsByPlace[frame.place] else { return }
    self.newest[frame.place] = Newest(composition: frame.to, version: frame.version)
    for (id, stream) in streams {
      guard stream.behindSince == nil, stream.sink.isWritable,
        let index = stream.places.firstIndex(where: { $0.id == frame.place }),
        stream.places[index].received === frame.from
      else {
        stream.fallBehind(now)
        continue
      }
      stream.sink.write(frame.payload)
      stream.version = max(stream.version, frame.version)
      stream.places[index].received = frame.to
      written[id] = stream
    }
  }

  private func perform(
    _ move: Move<Sink.Payload>,
    _ now: ContinuousClock.Instant,
    _ written: inout [ObjectIdentifier: Stream]
  ) {
    guard let streams = self.streamsByPlace.removeValue(forKey: move.place) else { return }
    self.newest[move.place] = nil
    for (id, stream) in streams {
      guard let index = stream.places.firstIndex(where: { $0.id == move.place }) else { continue }
      let place = stream.places.remove(at: index)
      if stream.behindSince == nil, stream.sink.isWritable, place.received === move.from {
        stream.sink.write(move.payload)
        stream.version = max(stream.version, move.version)
        written[id] = stream
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

  private func perform(
    _ show: Show<Sink.Payload>,
    _ now: ContinuousClock.Instant,
    _ written: inout [ObjectIdentifier: Stream]
  ) {
    guard let stream = self.streams[show.stream] else { return }
    let tags = self.remove(show.window, from: stream)
    guard stream.behindSince == nil, stream.sink.isWritable else {
      stream.outdated[show.window] = tags ?? [:]
      stream.fallBehind(now)
      return
    }
    stream.outdated[show.window] = nil
    stream.sink.write(show.payload)
    stream.version = max(stream.version, show.version)
    self.put(show.window, of: stream, at: show.place, show.composition, show.version)
    written[ObjectIdentifier(stream)] = stream
  }

  private func perform(
    _ version: Version<Sink.Payload>,
    _ written: inout [ObjectIdentifier: Stream]
  ) {
    guard let stream = self.streams[version.stream], stream.version < version.version else {
      return
    }
    guard stream.behindSince == nil, stream.sink.isWritable else {
      stream.owesVersion = version.version
      return
    }
    stream.sink.write(version.payload)
    stream.version = version.version
    written[ObjectIdentifier(stream)] = stream
  }
}

// Streams that are behind.
extension Hub {
  /// Brings a stream that can be written again up to the newest.
  public func catchUp(_ id: Identifier) {
    guard let stream = self.streams[id], stream.behindSince != nil, stream.sink.isWritable else {
      return
    }
    stream.behindSince = nil
    var patches = PatchCache()
    for (index, place) in stream.places.enumerated() {
      guard let newest = self.newest[place.id], place.received !== newest.composition else {
        continue
      }
      let event = EventWriter.frame(
        place: place.id,
        version: newest.version,
        patches: patches.patches(to: newest.composition) { region in
          place.received?.rendered(region.name)
        }
      )
      stream.sink.write(self.upcall.payload(event))
      stream.version = max(stream.version, newest.version)
      stream.places[index].received = newest.composition
    }
    if let version = stream.owesVersion, stream.version < version {
      stream.sink.write(self.upcall.payload(EventWriter.version(version)))
      stream.version = version
    }
    stream.owesVersion = nil
    stream.sink.flush()
    let outdated = stream.outdated
    stream.outdated = [:]
    for (window, tags) in outdated {
      self.upcall.show(window, tags)
    }
  }

  /// Lets go of what streams have held for long by being behind.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - hold: How long the render is kept that a stream would get the difference to.
  ///   - limit: How long a stream may be behind.
  /// - Returns: Streams that were behind for longer, now removed and closed.
  public func tick(
    now: ContinuousClock.Instant,
    hold: Duration = .seconds(5),
    limit: Duration = .seconds(10)
  ) -> [Identifier] {
    var dropped: [Identifier] = []
    for (id, stream) in self.streams {
      guard let since = stream.behindSince else { continue }
      if stream.sink.isWritable {
        self.catchUp(id)
      } else if now - since > limit {
        dropped.append(id)
      } else if now - since > hold {
        for index in stream.places.indices {
          stream.places[index].received = nil
        }
      }
    }
    for id in dropped {
      let sink = self.streams[id]?.sink
      self.remove(id)
      sink?.abort()
    }
    return dropped
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
    if let index = stream.places.firstIndex(where: { $0.id == place }) {
      stream.places[index].windows.append(window)
      return
    }
    stream.places.append(PlaceState(id: place, received: composition, windows: [window]))
    self.streamsByPlace[place, default: [:]][ObjectIdentifier(stream)] = stream
    self.newest[place] = Newest(composition: composition, version: version)
  }

  /// - Returns: The tags of what the window had, if it was at a place.
  @discardableResult
  private func remove(_ window: Identifier, from stream: Stream) -> [String: String]? {
    let outdated = stream.outdated.removeValue(forKey: window)
    for (index, place) in stream.places.enumerated() {
      guard let position = place.windows.firstIndex(of: window) else { continue }
      stream.places[index].windows.remove(at: position)
      if stream.places[index].windows.isEmpty {
        stream.places.remove(at: index)
        self.forget(stream, at: place.id)
      }
      return place.received?.tags ?? [:]
    }
    return outdated
  }

  private func forget(_ stream: Stream, at place: PlaceID) {
    self.streamsByPlace[place]?[ObjectIdentifier(stream)] = nil
    if self.streamsByPlace[place]?.isEmpty == true {
      self.streamsByPlace[place] = nil
      self.newest[place] = nil
    }
  }
}

extension Composition {
  /// The tag of each region, by name.
  var tags: [String: String] {
    Dictionary(uniqueKeysWithValues: self.regions.map { ($0.name, $0.rendered.tag.text) })
  }
}
