import ImmutableUI

// Streams that are behind.
extension Hub {
  /// Sends the newest content to a stream that is writable again, place by place, for as long as it
  /// stays writable. So unread content does not wait in memory.
  ///
  /// - Parameter now: The time from which the stream counts as behind if it does not get
  ///   everything.
  public func catchUp(_ id: Identifier, now: ContinuousClock.Instant = .now) {
    guard let stream = self.streams[id] else { return }
    var patches = PatchCache()
    // A write may call this again.
    while stream.sink.isWritable, let membership = stream.catchUpNext(now) {
      self.send(membership, to: stream, &patches)
    }
    // A write may have ended the stream.
    guard self.streams[id] === stream, stream.sink.isWritable, stream.didCatchUp() else { return }
    let outdated = stream.takeOutdated()
    stream.tellOwedVersions()
    self.sendToasts(to: id, now)
    for (window, tags) in outdated {
      self.showAgain(window, tags)
    }
  }

  /// Sends the toasts that wait, unless the stream is behind or a window has to be shown first.
  func sendToasts(to id: Identifier, _ now: ContinuousClock.Instant) {
    guard let stream = self.streams[id], stream.hasToasts, stream.awaitsShows == false else {
      return
    }
    // What was just written may have filled the socket. They are sent when it is writable again.
    guard stream.isWritable else { return stream.fallBehind(now) }
    for toast in stream.takeToasts() { stream.sink.write(toast) }
  }

  /// - Parameter membership: It says what the stream has been sent.
  private func send(
    _ membership: Membership,
    to stream: Stream,
    _ patches: inout PatchCache
  ) {
    let topic = membership.topic
    if membership.received !== topic.newest {
      let event = EventWriter.frame(
        place: topic.place,
        version: topic.version,
        title: membership.received?.title == topic.newest.title ? nil : topic.newest.title,
        patches: patches.patches(to: topic.newest) { region in
          membership.received?.rendered(region.name)
        }
      )
      stream.sink.write(event)
    }
    if let presence = topic.presence { stream.sink.write(presence) }
  }

  /// Frees what slow streams hold, and drops streams whose clients have taken nothing for too long.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - hold: How long the last render that a slow stream got is kept for a difference.
  ///   - limit: How long a client may take nothing.
  /// - Returns: The streams whose clients took nothing for longer. They have been removed and closed.
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
        self.catchUp(id, now: now)
      } else if stream.isTaking() {
        stream.stayBehind(now)
      } else if now - since > limit {
        dropped.append(id)
      } else if now - since > hold {
        stream.forgetReceived()
      }
    }
    for id in dropped { self.cut(id) }
    return dropped
  }
}
