/// Which streams and windows there are, and whose they are.
struct WindowRegistry {
  struct Stream {
    let session: Identifier
    /// Whoever it counts for besides its session; `nil`: nobody.
    let address: String?
    var windows: Set<Identifier> = []
  }

  struct Window {
    let session: Identifier
    let stream: Identifier
    var place: PlaceID
    var location: Location
    var navigation: Int
  }

  // Bounded by how many streams and windows are let in (``WindowGroup/Configuration``), and by how long a
  // parameter and a path may be.
  private(set) var streams: [Identifier: Stream] = [:]
  private(set) var windows: [Identifier: Window] = [:]
  private var windowCounts: [Identifier: Int] = [:]
  private var streamCounts: [Identifier: Int] = [:]
  private var addressCounts: [String: Int] = [:]
  private var windowsByPlace: [PlaceID: Set<Identifier>] = [:]

  func windowCount(of session: Identifier) -> Int {
    self.windowCounts[session, default: 0]
  }

  func streamCount(of session: Identifier) -> Int {
    self.streamCounts[session, default: 0]
  }

  func streamCount(at address: String) -> Int {
    self.addressCounts[address, default: 0]
  }

  mutating func addStream(_ id: Identifier, of session: Identifier, at address: String?) {
    self.streams[id] = Stream(session: session, address: address)
    self.streamCounts[session, default: 0] += 1
    if let address { self.addressCounts[address, default: 0] += 1 }
  }

  /// - Returns: The windows that went with it.
  mutating func removeStream(_ id: Identifier) -> [Window] {
    guard let stream = self.streams[id] else { return [] }
    let windows = stream.windows.compactMap { self.removeWindow($0) }
    self.streams[id] = nil
    Self.decrement(&self.streamCounts, stream.session)
    if let address = stream.address { Self.decrement(&self.addressCounts, address) }
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
    Self.decrement(&self.windowCounts, window.session)
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

  private static func decrement<Key>(_ counts: inout [Key: Int], _ key: Key) {
    let count = counts[key, default: 0] - 1
    counts[key] = count > 0 ? count : nil
  }

  private mutating func remove(_ id: Identifier, from place: PlaceID) {
    self.windowsByPlace[place]?.remove(id)
    if self.windowsByPlace[place]?.isEmpty == true {
      self.windowsByPlace[place] = nil
    }
  }
}
