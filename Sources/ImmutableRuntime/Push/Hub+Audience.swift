import ImmutableUI

extension Hub {
  /// The streams with windows at one place.
  final class Audience {
    /// The place's end of what is a ``Seat`` at the stream's.
    struct Member {
      let stream: Stream
      /// That of the stream: a frame touches nothing else of one that takes it, and with a thousand
      /// of them what is touched is what it costs.
      let sink: any StreamSink
      /// Whether the stream has what is newest. One that is behind has its ``Seat/received``.
      var isCurrent = true
    }

    let place: PlaceID
    private(set) var newest: Composition
    /// That of the newest content.
    private(set) var version: UInt64
    private(set) var members: [Member] = []

    init(_ place: PlaceID, _ newest: Composition, _ version: UInt64) {
      self.place = place
      self.newest = newest
      self.version = version
    }

    /// Writes a frame to all that are current and can be written; the others fall behind.
    ///
    /// - Returns: How many others.
    func perform(_ frame: Frame, _ now: ContinuousClock.Instant) -> Int {
      // A write may be the end of a stream, which then is no member any more.
      let members = self.members
      let isNext = frame.from === self.newest
      var missed: [Stream] = []
      for index in members.indices {
        if isNext, members[index].isCurrent, members[index].sink.isWritable {
          members[index].sink.write(frame.event)
        } else {
          missed.append(members[index].stream)
        }
      }
      // Before there is something newer: what they have is what was newest until now.
      for stream in missed {
        stream.fallBehind(now)
      }
      self.newest = frame.to
      self.version = frame.version
      return missed.count
    }

    /// - Returns: Its position.
    func add(_ stream: Stream) -> Int {
      self.members.append(Member(stream: stream, sink: stream.sink))
      return self.members.count - 1
    }

    /// The last takes the position that becomes free.
    func removeMember(at position: Int) {
      let last = self.members.removeLast()
      if position < self.members.count {
        self.members[position] = last
        last.stream.didMove(to: position, in: self)
      }
    }

    func setCurrent(_ isCurrent: Bool, at position: Int) {
      self.members[position].isCurrent = isCurrent
    }
  }
}
