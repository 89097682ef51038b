import ImmutableUI

// Streams that are behind.
extension Hub {
  /// Sends the newest content to a stream that is writable again.
  public func catchUp(_ id: Identifier) {
    guard let stream = self.streams[id], stream.behindSince != nil, stream.sink.isWritable else {
      return
    }
    var patches = PatchCache()
    // `catchUp()` marks it as current before the first write, because the write may call this
    // again.
    for subscription in stream.catchUp() where subscription.received !== subscription.topic.newest {
      let event = EventWriter.frame(
        place: subscription.topic.place,
        version: subscription.topic.version,
        title: subscription.received?.title == subscription.topic.newest.title
          ? nil : subscription.topic.newest.title,
        patches: patches.patches(to: subscription.topic.newest) { region in
          subscription.received?.rendered(region.name)
        }
      )
      stream.write(event, subscription.topic.version)
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

  /// Frees what slow streams hold, and drops streams that have been behind for too long.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - hold: How long the last render that a slow stream got is kept for a difference.
  ///   - limit: How long a stream may be behind.
  /// - Returns: The streams that were behind for longer. They have been removed and closed.
  public func tick(
    now: ContinuousClock.Instant,
    hold: Duration = .seconds(5),
    limit: Duration = .seconds(10)
  ) -> [Identifier] {
    var dropped: [Identifier] = []
    for (id, stream) in self.streams {
      guard let since = stream.behindSince else {
        // Nothing new has come since, so it has missed nothing yet, but it accepts no writes.
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
