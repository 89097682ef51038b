import ImmutableUI
import Synchronization

/// A location that at least one window shows.
final class Place<State: StoreState> {
  typealias Region = ImmutableRuntime.Region

  let id: PlaceID
  let location: any Location<State>
  /// The content that its windows were last sent.
  fileprivate(set) var composition: Composition
  /// The version of the state that they were sent.
  fileprivate var version: UInt64
  /// The regions of its composition.
  fileprivate(set) var regions: [Region]
  /// The windows at this place.
  fileprivate(set) var windows: Set<Identifier> = []
  /// The clients that have these windows, with the number of each.
  fileprivate var clients: [String: Int] = [:]
  /// The one of these clients that pays for the renders.
  fileprivate(set) var payer: String

  fileprivate init(
    id: PlaceID,
    location: any Location<State>,
    composition: Composition,
    regions: [Region],
    version: UInt64,
    payer: String
  ) {
    self.payer = payer
    self.id = id
    self.location = location
    self.composition = composition
    self.regions = regions
    self.version = version
  }
}

extension Place {
  /// The tags that belong to regions of this place. A window can send anything, of any size;
  /// everything else is ignored.
  func known(_ tags: [String: String]) -> [String: String] {
    var known: [String: String] = [:]
    for region in self.composition.regions {
      if let tag = tags[region.name], Tag(text: tag) != nil { known[region.name] = tag }
    }
    return known
  }
}

/// Makes the ids of places, which are unique within a boot.
final class PlaceIDs: Sendable {
  private let last = Mutex<PlaceID>(0)

  func next() -> PlaceID {
    self.last.withLock { last in
      last += 1
      return last
    }
  }
}

/// The places of a product's windows, and the place of each window.
///
/// There are never more places than windows, and ``WindowDirectory`` limits the windows.
struct PlaceTable<State: StoreState> {
  typealias Place = ImmutableRuntime.Place<State>
  typealias Cache = RegionCache

  /// A window that shows one of the places.
  struct Window {
    let place: Place
    let stream: Identifier
    let navigation: Int
    /// The window's move count when it came here.
    let moves: Int
    /// The client's network (``WindowDirectory/network(of:)``).
    let client: String
  }

  private let ids: PlaceIDs
  private let journal: PlaceJournal
  private var places: [LocationKey: Place] = [:]
  private var placesByID: [PlaceID: Place] = [:]
  /// The places that wait for a submission or show its failure, by the submission's name. Bounded
  /// by the places: each has at most one for each parameter.
  private var placesBySubmission: [String: Set<PlaceID>] = [:]
  private var windows: [Identifier: Window] = [:]
  private var presence = Presence()

  init(ids: PlaceIDs, journal: PlaceJournal) {
    self.ids = ids
    self.journal = journal
  }

  var count: Int { self.places.count }

  subscript(key: LocationKey) -> Place? {
    self.places[key]
  }

  subscript(id: PlaceID) -> Place? {
    self.placesByID[id]
  }

  subscript(window: Identifier) -> Window? {
    self.windows[window]
  }

  /// All places, oldest first.
  ///
  /// - Complexity: O(n log n), n places.
  var all: [Place] {
    self.placesByID.values.sorted { $0.id < $1.id }
  }

  /// The places that show one of these regions, or wait for one of these submissions; oldest first.
  ///
  /// - Complexity: O(c log c), c places.
  func showing(_ regions: [Place.Region], or submissions: [String]) -> [Place] {
    var ids: Set<PlaceID> = []
    for region in regions { ids.formUnion(region.places) }
    for name in submissions { ids.formUnion(self.placesBySubmission[name] ?? []) }
    return ids.sorted().compactMap { self.placesByID[$0] }
  }

  /// The streams and their windows: first those of the clients that have the most beyond their
  /// shares, then those that alone show the most, then those with the most windows, then the newest.
  ///
  /// - Complexity: O(w log w), w windows.
  func streams(_ budget: RenderBudget) -> [(id: Identifier, windows: [Identifier])] {
    var streams: [Identifier: (excess: Int, windows: [Identifier], newest: PlaceID)] = [:]
    for (id, window) in self.windows {
      var stream = streams[window.stream] ?? (budget.excess(of: window.client), [], 0)
      stream.windows.append(id)
      stream.newest = max(stream.newest, window.place.id)
      streams[window.stream] = stream
    }
    let own = self.ownBytes
    return streams.sorted {
      ($0.value.excess, own[$0.key] ?? 0, $0.value.windows.count, $0.value.newest)
        > ($1.value.excess, own[$1.key] ?? 0, $1.value.windows.count, $1.value.newest)
    }.map { ($0.key, $0.value.windows) }
  }

  /// For each stream, the size of the renders at places that no other stream shows.
  private var ownBytes: [Identifier: Int] {
    self.placesByID.values.reduce(into: [:]) { bytes, place in
      let streams = Set(place.windows.compactMap { self.windows[$0]?.stream })
      guard let stream = streams.first, streams.count == 1 else { return }
      bytes[stream, default: 0] += place.regions.lazy.filter { $0.places.count == 1 }
        .reduce(0) { $0 + $1.rendered.heapSize }
    }
  }

  /// - Parameter client: The client of the first window, which pays for the place.
  mutating func add(
    location: any Location<State>,
    composition: Composition,
    regions: [Place.Region],
    version: UInt64,
    for client: String,
    _ cache: inout Cache
  ) -> Place {
    let place = Place(
      id: self.ids.next(),
      location: location,
      composition: composition,
      regions: regions,
      version: version,
      payer: client
    )
    self.places[location.key] = place
    self.placesByID[place.id] = place
    for name in location.submissions {
      self.placesBySubmission[name, default: []].insert(place.id)
    }
    for region in regions { cache.use(region, at: place.id, for: client) }
    self.journal.note(
      .begins(location.environment), of: place, version: version)
    return place
  }

  /// Replaces what a place shows.
  func put(
    _ composition: Composition,
    _ regions: [Place.Region],
    at place: Place,
    version: UInt64,
    _ cache: inout Cache
  ) {
    // It nearly always has the same regions.
    if place.regions.elementsEqual(regions, by: ===) == false {
      for region in regions { cache.use(region, at: place.id, for: place.payer) }
      for region in place.regions where regions.contains(where: { $0 === region }) == false {
        cache.giveUp(region, at: place.id)
      }
      place.regions = regions
    }
    let old = place.composition
    place.composition = composition
    place.version = version
    self.journal.note(.goesOn, of: place, from: old, version: version)
  }

  /// Puts a window at a place and removes it from its old one.
  mutating func put(_ id: Identifier, _ window: Window, _ cache: inout Cache) {
    let old = self.windows.updateValue(window, forKey: id)
    self.presence.move(from: old?.place.location.path, to: window.place.location.path)
    window.place.windows.insert(id)
    window.place.clients[window.client, default: 0] += 1
    guard let old else { return }
    if old.place !== window.place { old.place.windows.remove(id) }
    self.didLeave(old, &cache)
  }

  mutating func remove(_ id: Identifier, _ cache: inout Cache) {
    guard let window = self.windows.removeValue(forKey: id) else { return }
    self.presence.move(from: window.place.location.path, to: nil)
    window.place.windows.remove(id)
    self.didLeave(window, &cache)
  }

  /// If the client that pays for a place has no window there any more, another one pays for it.
  private mutating func didLeave(_ window: Window, _ cache: inout Cache) {
    let (place, client) = (window.place, window.client)
    let count = place.clients[client, default: 0] - 1
    place.clients[client] = count > 0 ? count : nil
    if count == 0, client == place.payer, let heir = place.clients.keys.first {
      place.payer = heir
      cache.change(place.id, showing: place.regions, to: heir)
    }
    self.removeIfEmpty(place, &cache)
  }

  /// Moves all windows of a place to another place.
  mutating func move(_ place: Place, to target: Place, _ cache: inout Cache) {
    for id in place.windows {
      guard let window = self.windows[id] else { continue }
      self.presence.move(from: place.location.path, to: target.location.path)
      self.windows[id] = Window(
        place: target,
        stream: window.stream,
        navigation: window.navigation,
        moves: window.moves,
        client: window.client
      )
    }
    target.windows.formUnion(place.windows)
    target.clients.merge(place.clients) { $0 + $1 }
    place.windows = []
    place.clients = [:]
    self.removeIfEmpty(place, &cache)
  }

  /// Removes a place that has no windows.
  mutating func removeIfEmpty(_ place: Place, _ cache: inout Cache) {
    guard place.windows.isEmpty, self.places[place.location.key] === place else { return }
    self.places[place.location.key] = nil
    self.placesByID[place.id] = nil
    for name in place.location.submissions {
      self.placesBySubmission[name]?.remove(place.id)
      if self.placesBySubmission[name]?.isEmpty == true { self.placesBySubmission[name] = nil }
    }
    for region in place.regions { cache.giveUp(region, at: place.id) }
    place.regions = []
    self.journal.note(.ends, of: place, version: place.version)
  }
}

// The number of windows that show a page.
extension PlaceTable {
  /// The number of windows that show the place's page, including this one.
  mutating func presence(at place: Place, with window: Identifier) -> Int {
    let path = place.location.path
    return self.presence.tell(path, isNew: self.windows[window]?.place.location.path != path)
  }

  /// The places whose windows must be sent a new number of windows, with that number.
  ///
  /// - Complexity: O(1) if no window must be told, otherwise O(p), p places.
  mutating func takePresence() -> [(place: PlaceID, windows: Int)] {
    let changed = self.presence.take()
    guard changed.isEmpty == false else { return [] }
    return self.placesByID.values.compactMap { place in
      changed[place.location.path].map { (place.id, $0) }
    }
  }
}

// For developers.
extension PlaceTable {
  /// - Parameter product: The product's name.
  func shownWindows(of product: String) -> [ShownWindow] {
    self.windows.map { id, window in
      ShownWindow(
        id: id,
        product: product,
        url: window.place.location.url,
        place: window.place.id,
        bytes: window.place.composition.regions.reduce(0) { $0 + $1.rendered.heapSize },
        stream: window.stream,
        environment: window.place.location.environment
      )
    }
  }
}
