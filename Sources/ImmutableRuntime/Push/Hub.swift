import ImmutableUI
import Metrics

/// The streams of one event loop, and what each of their windows has been sent.
///
/// It is a state machine: commands and writability go in, writes come out. It has no thread and no
/// clock of its own and is not Sendable: its owner calls it from one thread.
///
/// A stream is either current (everything has been written to it) or behind. A stream that is
/// behind has no queue: the hub only remembers which composition of each place it has, and once it
/// is writable it is sent the difference to the newest.
public final class Hub {
  /// Shows a window again that moved while its stream was behind, given the tags of what it has.
  public typealias ShowAgain = (_ window: Identifier, _ tags: [String: String]) -> Void

  var streams: [Identifier: Stream] = [:]
  private var topics: [PlaceID: Topic] = [:]
  let showAgain: ShowAgain
  /// Frames that were not sent to a stream because it was behind. It gets a later one instead.
  private let droppedFrames = Counter(label: "frames_dropped")
  /// The last event, for streams that open after the end.
  private var goodbye: StreamEvent?

  public init(showAgain: @escaping ShowAgain) {
    self.showAgain = showAgain
  }

  public var streamCount: Int {
    self.streams.count
  }
}

// Adding and removing streams.
extension Hub {
  public func open(_ id: Identifier, _ sink: any StreamSink) {
    if let goodbye = self.goodbye {
      sink.write(goodbye)
      sink.close()
    } else {
      self.streams[id] = Stream(sink: sink)
    }
  }

  /// The sink of a stream that is open.
  public func sink(of id: Identifier) -> (any StreamSink)? {
    self.streams[id]?.sink
  }

  /// Removes a stream. Nothing is written to its sink afterwards.
  public func remove(_ id: Identifier) {
    guard let stream = self.streams.removeValue(forKey: id) else { return }
    for membership in stream.removeMemberships() {
      self.giveUp(membership)
    }
  }

  /// Removes a stream and closes it, without a last event.
  func cut(_ id: Identifier) {
    let sink = self.streams[id]?.sink
    self.remove(id)
    sink?.abort()
  }

  /// The status of its streams.
  ///
  /// - Complexity: O(s), s streams.
  public func reports(now: ContinuousClock.Instant) -> [Identifier: StreamReport] {
    self.streams.mapValues { stream in
      StreamReport(
        sentBytes: stream.sink.sentBytes,
        behind: stream.behindSince.map { now - $0 }
      )
    }
  }

  /// Writes an event to every stream that is writable: the heartbeat.
  public func writeToAll(_ event: StreamEvent) {
    for stream in self.streams.values where stream.sink.isWritable {
      stream.sink.write(event)
    }
  }
}

// Commands.
extension Hub {
  /// Carries out commands.
  ///
  /// - Parameter now: The time from which a stream that falls behind counts as behind.
  /// - Complexity: O(w) for the w streams at the affected places, with one write each.
  public func perform(_ commands: [HubCommand], now: ContinuousClock.Instant) {
    for command in commands {
      switch command {
      case .frame(let frame):
        self.perform(frame, now)
      case .move(let move):
        self.perform(move, now)
      case .show(let show):
        self.perform(show, now)
      case .version(let version, let stream, let window):
        self.streams[stream]?.tell(window, version, now)
      case .tell(let stream, let event):
        self.streams[stream]?.tell(event, now)
      case .presence(let place, let event):
        self.topics[place]?.perform(event, now)
      case .cut(let streams):
        for id in streams { self.cut(id) }
      case .leave(let stream, let window):
        if let stream = self.streams[stream] {
          stream.forgetVersion(of: window)
          self.remove(window, from: stream)
        }
        self.sendToasts(to: stream, now)
      case .goodbye(let event, let isLast):
        for (id, stream) in self.streams {
          self.remove(id)
          stream.sink.write(event)
          stream.sink.close()
        }
        guard isLast else { continue }
        self.goodbye = event
        return
      }
    }
  }

  private func perform(_ frame: HubCommand.Frame, _ now: ContinuousClock.Instant) {
    guard let topic = self.topics[frame.place] else { return }
    let missed = topic.perform(frame, now)
    if missed > 0 {
      self.droppedFrames.increment(by: missed)
    }
  }

  private func perform(_ move: HubCommand.Move, _ now: ContinuousClock.Instant) {
    guard let topic = self.topics.removeValue(forKey: move.place) else { return }
    for stream in topic.subscribers.map(\.stream) {
      let isNext = stream.isWritable && topic.newest === move.from
      if isNext == false {
        stream.fallBehind(now)
      }
      guard let membership = stream.removeMembership(in: topic) else { continue }
      if isNext {
        for window in membership.windows {
          self.put(window, of: stream, at: move.to, move.composition, move.version)
        }
        stream.sink.write(move.event)
      } else {
        for window in membership.windows {
          stream.outdated[window] = membership.received?.tags ?? [:]
        }
      }
    }
  }

  private func perform(_ show: HubCommand.Show, _ now: ContinuousClock.Instant) {
    guard let stream = self.streams[show.stream] else { return }
    self.remove(show.window, from: stream)
    guard stream.isWritable else {
      stream.outdated[show.window] = show.tags
      stream.fallBehind(now)
      return
    }
    self.put(show.window, of: stream, at: show.place, show.composition, show.version)
    stream.sink.write(show.event)
    self.sendToasts(to: show.stream, now)
  }
}

// Places.
extension Hub {
  /// Puts a window of a current stream at a place. Call it before writing the place's newest
  /// content, because the write may end the stream.
  private func put(
    _ window: Identifier,
    of stream: Stream,
    at place: PlaceID,
    _ composition: Composition,
    _ version: UInt64
  ) {
    let topic = self.topic(at: place, composition, version)
    assert(topic.newest === composition, "place \(place) was sent no frame of its content")
    stream.put(window, in: topic)
  }

  private func topic(
    at place: PlaceID,
    _ composition: Composition,
    _ version: UInt64
  ) -> Topic {
    if let topic = self.topics[place] { return topic }
    let topic = Topic(place, composition, version)
    self.topics[place] = topic
    return topic
  }

  private func remove(_ window: Identifier, from stream: Stream) {
    stream.forgetOutdated(window)
    if let membership = stream.remove(window) {
      self.giveUp(membership)
    }
  }

  /// Removes a stream from a topic, and the topic if it was the last.
  private func giveUp(_ membership: Membership) {
    membership.topic.removeSubscriber(at: membership.position)
    if membership.topic.subscribers.isEmpty {
      self.topics[membership.topic.place] = nil
    }
  }
}
