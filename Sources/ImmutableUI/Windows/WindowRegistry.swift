/// Which streams and windows there are, and whose they are.
struct WindowRegistry {
  struct Stream {
    let session: Identifier
    var windows: Set<Identifier> = []
  }

  struct Window {
    let session: Identifier
    let stream: Identifier
    var place: PlaceID
    var location: Location
    var navigation: Int
  }

  private(set) var streams: [Identifier: Stream] = [:]
  private(set) var windows: [Identifier: Window] = [:]
  private var windowCounts: [Identifier: Int] = [:]
  private var windowsByPlace: [PlaceID: Set<Identifier>] = [:]

  func windowCount(of session: Identifier) -> Int {
    self.windowCounts[session, default: 0]
  }

  mutating func addStream(_ id: Identifier, of session: Identifier) {
    self.streams[id] = Stream(session: session)
  }

  /// - Returns: The windows that went with it.
  mutating func removeStream(_ id: Identifier) -> [Window] {
    guard let stream = self.streams[id] else { return [] }
    let windows = stream.windows.compactMap { self.removeWindow($0) }
    self.streams[id] = nil
    return windows
  }

  mutating func addWindow(_ id: Identifier, _ window: Window) {
    self.windows[id] = window
    self.streams[window.stream]?.windows.insert(id)
    self.windowCounts[window.session, default: 0] += 1
    self.windowsByPlace[window.place, default: []].insert(id)
  }

  mutating func removeWindow(_ id: Identifier) -> Window? {
    guard let window = self.windows.removeValue(forKey: id) else { return nil }
    self.streams[window.stream]?.windows.remove(id)
    self.windowCounts[window.session, default: 0] -= 1
    if self.windowCounts[window.session] == 0 {
      self.windowCounts[window.session] = nil
    }
    self.remove(id, from: window.place)
    return window
  }

  mutating func put(_ id: Identifier, at place: Place, navigation: Int) {
    guard let old = self.windows[id] else { return }
    self.remove(id, from: old.place)
    self.windows[id]?.place = place.id
    self.windows[id]?.location = place.location
    self.windows[id]?.navigation = navigation
    self.windowsByPlace[place.id, default: []].insert(id)
  }

  mutating func move(from place: PlaceID, to target: Place) {
    for id in self.windowsByPlace.removeValue(forKey: place) ?? [] {
      self.windows[id]?.place = target.id
      self.windows[id]?.location = target.location
      self.windowsByPlace[target.id, default: []].insert(id)
    }
  }

  private mutating func remove(_ id: Identifier, from place: PlaceID) {
    self.windowsByPlace[place]?.remove(id)
    if self.windowsByPlace[place]?.isEmpty == true {
      self.windowsByPlace[place] = nil
    }
  }
}
