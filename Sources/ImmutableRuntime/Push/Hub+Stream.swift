import ImmutableUI

extension Hub {
  /// One stream, and what it has been sent.
  final class Stream {
    let sink: any StreamSink
    /// Few: a place for each address that tabs of a browser are at.
    private(set) var seats: [Seat] = []
    /// Windows that must be shown anew, with the tags of what they have.
    var outdated: [Identifier: [String: String]] = [:]
    var owesVersion: UInt64?
    private(set) var behindSince: ContinuousClock.Instant?
    /// Of the newest event that was not a frame of a place where it is.
    private var ownVersion: UInt64

    init(sink: any StreamSink, version: UInt64) {
      self.sink = sink
      self.ownVersion = version
    }

    /// That of the newest event that it was written.
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

  /// A stream's windows at one place: its end of what is an ``Audience/Member`` at the place's.
  struct Seat {
    let audience: Audience
    /// Where the stream stands among its members.
    var position: Int
    var windows: [Identifier]
    /// What a stream that is behind has; `nil` when it was so for long: then it will be sent everything. It is
    /// weak, for a thousand streams could be behind with a composition each: those that are still the newest
    /// somewhere, or held (``HeldRenders``), are there.
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

  /// Is current again: it is about to be written what it has not.
  ///
  /// - Returns: What it has of each place.
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
  /// Adds a window at a place whose newest content it has been shown.
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
