import ImmutableUI

// Streams that are behind.
extension Hub {
  /// Brings a stream that can be written again up to the newest.
  public func catchUp(_ id: Identifier) {
    guard let stream = self.streams[id], stream.behindSince != nil, stream.sink.isWritable else {
      return
    }
    var patches = PatchCache()
    // It is current before the first write, which may call this again.
    for seat in stream.catchUp() where seat.received !== seat.audience.newest {
      let event = EventWriter.frame(
        place: seat.audience.place,
        version: seat.audience.version,
        title: seat.received?.title == seat.audience.newest.title
          ? nil : seat.audience.newest.title,
        patches: patches.patches(to: seat.audience.newest) { region in
          seat.received?.rendered(region.name)
        }
      )
      stream.write(event, seat.audience.version)
    }
    if let version = stream.owesVersion, stream.version < version {
      stream.write(EventWriter.version(version), version)
    }
    stream.owesVersion = nil
    let outdated = stream.outdated
    stream.outdated = [:]
    for (window, tags) in outdated {
      self.showAgain(window, tags)
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
      guard let since = stream.behindSince else {
        // Nothing has come since that it could be behind with, but it takes nothing either.
        if stream.sink.isWritable == false { stream.fallBehind(now) }
        continue
      }
      if stream.sink.isWritable {
        self.catchUp(id)
      } else if now - since > limit {
        dropped.append(id)
      } else if now - since > hold {
        stream.forgetReceived()
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
