extension Hub {
  /// The streams with windows at one place.
  final class Audience {
    struct Member {
      let stream: Stream
      /// That of the stream: a frame touches nothing else of one that takes it, and with a thousand
      /// of them what is touched is what it costs.
      let sink: any StreamSink
      /// Whether the stream has what is newest. One that is behind has its ``Seat/received``.
      var isCurrent = true
    }

    let place: PlaceID
    var newest: Composition
    /// That of the newest content.
    var version: UInt64
    private(set) var members: [Member] = []

    init(_ place: PlaceID, _ newest: Composition, _ version: UInt64) {
      self.place = place
      self.newest = newest
      self.version = version
    }

    /// Writes to all that are current and can be written.
    ///
    /// - Parameter from: What they must have.
    /// - Returns: The others.
    func write(_ event: StreamEvent, from: Composition) -> [Stream] {
      let members = self.members
      guard from === self.newest else { return members.map(\.stream) }
      var missed: [Stream] = []
      for index in members.indices {
        if members[index].isCurrent, members[index].sink.isWritable {
          members[index].sink.write(event)
        } else {
          missed.append(members[index].stream)
        }
      }
      return missed
    }

    /// - Returns: Its position.
    func add(_ stream: Stream) -> Int {
      self.members.append(Member(stream: stream, sink: stream.sink))
      return self.members.count - 1
    }

    /// The last takes the position that becomes free.
    func remove(at position: Int) {
      let last = self.members.removeLast()
      if position < self.members.count {
        self.members[position] = last
        last.stream.sit(at: position, in: self)
      }
    }

    func setCurrent(_ isCurrent: Bool, at position: Int) {
      self.members[position].isCurrent = isCurrent
    }
  }
}
