import ImmutableUI

extension Hub {
  /// The streams with windows at one place.
  final class Topic {
    /// One stream that shows it. It corresponds to a ``Membership`` of the stream.
    struct Subscriber {
      let stream: Stream
      /// The stream's sink, kept here so that a frame touches no other memory of the stream. With a
      /// thousand streams, memory access dominates the cost.
      let sink: any StreamSink
      /// Whether the stream has the newest content. If not, its ``Membership/received`` is what it has.
      var isCurrent = true
    }

    let place: PlaceID
    private(set) var newest: Composition
    /// The version of the newest content.
    private(set) var version: UInt64
    private(set) var subscribers: [Subscriber] = []
    /// The newest event that says how many windows show the page.
    private(set) var presence: StreamEvent?

    init(_ place: PlaceID, _ newest: Composition, _ version: UInt64) {
      self.place = place
      self.newest = newest
      self.version = version
    }

    /// Writes a frame to the subscribers that are current and writable; the others fall behind.
    ///
    /// - Returns: The number of subscribers that did not get it.
    func perform(_ frame: HubCommand.Frame, _ now: ContinuousClock.Instant) -> Int {
      // A write may end a stream, which removes it from the subscribers.
      let subscribers = self.subscribers
      let isNext = frame.from === self.newest
      var (missed, count): ([Stream], Int) = ([], 0)
      for index in subscribers.indices {
        if isNext, subscribers[index].isCurrent, subscribers[index].sink.isWritable {
          subscribers[index].sink.write(frame.event)
        } else {
          count += 1
          if subscribers[index].isCurrent { missed.append(subscribers[index].stream) }
        }
      }
      // Before `newest` is replaced: what these streams have is the old value.
      for stream in missed {
        stream.fallBehind(now)
      }
      self.newest = frame.to
      self.version = frame.version
      return count
    }

    /// Tells the subscribers that are current and writable how many windows show the page; the others
    /// are told when they catch up.
    func perform(_ presence: StreamEvent, _ now: ContinuousClock.Instant) {
      self.presence = presence
      // A write may end a stream, which removes it from the subscribers.
      for subscriber in self.subscribers where subscriber.isCurrent {
        if subscriber.sink.isWritable {
          subscriber.sink.write(presence)
        } else {
          subscriber.stream.fallBehind(now)
        }
      }
    }

    /// - Returns: The position of the new subscriber.
    func add(_ stream: Stream) -> Int {
      self.subscribers.append(Subscriber(stream: stream, sink: stream.sink))
      return self.subscribers.count - 1
    }

    /// The last subscriber moves to the free position.
    func removeSubscriber(at position: Int) {
      let last = self.subscribers.removeLast()
      if position < self.subscribers.count {
        self.subscribers[position] = last
        last.stream.didMove(to: position, in: self)
      }
    }

    func setCurrent(_ isCurrent: Bool, at position: Int) {
      self.subscribers[position].isCurrent = isCurrent
    }
  }
}
