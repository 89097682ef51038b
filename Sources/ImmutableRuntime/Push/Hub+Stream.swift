import ImmutableUI

extension Hub {
  /// One stream, and what it has been sent.
  final class Stream {
    let sink: any StreamSink
    /// Few: one seat for each distinct place that the browser's tabs show.
    private(set) var seats: [Seat] = []
    /// Windows that must be shown again, with the tags of what they have. Bounded by the stream's
    /// windows.
    var outdated: [Identifier: [String: String]] = [:]
    var owesVersion: UInt64?
    private(set) var behindSince: ContinuousClock.Instant?
    /// The version of the newest event that was not a frame of one of its places.
    private var ownVersion: UInt64

    init(sink: any StreamSink, version: UInt64) {
      self.sink = sink
      self.ownVersion = version
    }

    /// The version of the newest event that it was sent.
    var version: UInt64 {
      guard self.behindSince == nil else { return self.ownVersion }
      return self.seats.reduce(self.ownVersion) { max($0, $1.audience.version) }
    }

    var isWritable: Bool {
      self.behindSince == nil && self.sink.isWritable
    }

    func write(_ event: StreamEvent, _ version: UInt64) {
      self.sink.write(event)
      self.ownVersion = max(self.ownVersion, version)
    }
  }

  /// A stream's windows at one place. It corresponds to an ``Audience/Member`` of the place.
  struct Seat {
    let audience: Audience
    /// The stream's index in the audience's members.
    var position: Int
    var windows: [Identifier]
    /// What a slow stream was last sent. The reference is weak, because a thousand slow streams
    /// could otherwise keep a composition each alive. It becomes `nil` when the composition is
    /// neither the newest at a place nor held (``HeldRenders``); the stream is then sent
    /// everything.
    weak var received: Composition?
  }
}

// Behind, and current again.
extension Hub.Stream {
  func fallBehind(_ now: ContinuousClock.Instant) {
    guard self.behindSince == nil else { return }
    self.ownVersion = self.version
    self.behindSince = now
    for (index, seat) in self.seats.enumerated() {
      self.seats[index].received = seat.audience.newest
      seat.audience.setCurrent(false, at: seat.position)
    }
  }

  /// Marks the stream as current again; the caller then writes what it has missed.
  ///
  /// - Returns: What it has been sent of each place.
  func catchUp() -> [Hub.Seat] {
    let seats = self.seats
    self.behindSince = nil
    self.forgetReceived()
    for seat in seats {
      seat.audience.setCurrent(true, at: seat.position)
    }
    return seats
  }

  func forgetReceived() {
    for index in self.seats.indices {
      self.seats[index].received = nil
    }
  }
}

// Seats.
extension Hub.Stream {
  /// Puts a window at a place whose newest content it has been sent.
  func put(_ window: Identifier, in audience: Hub.Audience) {
    if let index = self.index(of: audience) {
      self.seats[index].windows.append(window)
    } else {
      self.seats.append(
        Hub.Seat(audience: audience, position: audience.add(self), windows: [window])
      )
    }
  }

  /// - Returns: The seat, if that was its last window.
  func remove(_ window: Identifier) -> Hub.Seat? {
    for (index, seat) in self.seats.enumerated() {
      guard let position = seat.windows.firstIndex(of: window) else { continue }
      self.seats[index].windows.remove(at: position)
      return self.seats[index].windows.isEmpty ? self.removeSeat(at: index) : nil
    }
    return nil
  }

  func removeSeat(in audience: Hub.Audience) -> Hub.Seat? {
    self.index(of: audience).map(self.removeSeat(at:))
  }

  func removeSeats() -> [Hub.Seat] {
    defer { self.seats = [] }
    return self.seats
  }

  func didMove(to position: Int, in audience: Hub.Audience) {
    if let index = self.index(of: audience) {
      self.seats[index].position = position
    }
  }

  private func removeSeat(at index: Int) -> Hub.Seat {
    self.ownVersion = self.version
    return self.seats.remove(at: index)
  }

  private func index(of audience: Hub.Audience) -> Int? {
    self.seats.firstIndex { $0.audience === audience }
  }
}
