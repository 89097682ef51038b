import ImmutableUI

extension Hub {
  /// The streams with windows at one place.
  final class Audience {
    /// One stream of an audience. It corresponds to a ``Seat`` of the stream.
    struct Member {
      let stream: Stream
      /// The stream's sink, kept here so that a frame touches no other memory of the stream. With a
      /// thousand streams, memory access dominates the cost.
      let sink: any StreamSink
      /// Whether the stream has the newest content. If not, its ``Seat/received`` is what it has.
      var isCurrent = true
    }

    let place: PlaceID
    private(set) var newest: Composition
    /// The version of the newest content.
    private(set) var version: UInt64
    private(set) var members: [Member] = []

    init(_ place: PlaceID, _ newest: Composition, _ version: UInt64) {
      self.place = place
      self.newest = newest
      self.version = version
    }

    /// Writes a frame to the members that are current and writable; the others fall behind.
    ///
    /// - Returns: How many did not get it.
    func perform(_ frame: Frame, _ now: ContinuousClock.Instant) -> Int {
      // A write may end a stream, which removes it from the members.
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
      // Before `newest` is replaced: what these streams have is the old value.
      for stream in missed {
        stream.fallBehind(now)
      }
      self.newest = frame.to
      self.version = frame.version
      return missed.count
    }

    /// - Returns: The position of the new member.
    func add(_ stream: Stream) -> Int {
      self.members.append(Member(stream: stream, sink: stream.sink))
      return self.members.count - 1
    }

    /// The last member moves to the free position.
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
