import ImmutableUI
import Synchronization

/// A location that windows are at.
final class Place<State: StoreState> {
  typealias Region = ImmutableRuntime.Region<State, State.Action>

  let id: PlaceID
  let location: any Location<State>
  /// What its windows were last sent.
  var composition: Composition
  /// What it shows, as it was when it was composed.
  fileprivate(set) var regions: [Region]
  /// Those that are here.
  fileprivate(set) var windows: Set<Identifier> = []

  fileprivate init(
    id: PlaceID,
    location: any Location<State>,
    composition: Composition,
    regions: [Region]
  ) {
    self.id = id
    self.location = location
    self.composition = composition
    self.regions = regions
  }
}

extension Place {
  /// Of what a window says that it shows, what it can: the tags of regions that there are here. The rest
  /// could be of any size.
  func known(_ tags: [String: String]) -> [String: String] {
    var known: [String: String] = [:]
    for region in self.composition.regions {
      if let tag = tags[region.name], Tag(text: tag) != nil { known[region.name] = tag }
    }
    return known
  }
}

/// Gives out ids of places; no two places of a boot have the same.
final class PlaceIDs: Sendable {
  private let last = Mutex<PlaceID>(0)

  func next() -> PlaceID {
    self.last.withLock { last in
      last += 1
      return last
    }
  }
}

/// Where a product's windows are: the places that have windows, and which window is where.
///
/// There are no more places than windows, and no more windows than are let in (``WindowDirectory``).
struct PlaceTable<State: StoreState> {
  typealias Place = ImmutableRuntime.Place<State>
  typealias Cache = RegionCache<State, State.Action>

  /// A window that shows one of the places.
  struct Window {
    let place: Place
    let stream: Identifier
    let navigation: Int
    /// How often it had been put somewhere, as it came here.
    let moves: Int
  }

  private let ids: PlaceIDs
  private var places: [LocationKey: Place] = [:]
  private var placesByID: [PlaceID: Place] = [:]
  /// By the submission that they wait for, or whose failure they show.
  private var placesBySubmission: [String: Set<PlaceID>] = [:]
  private var windows: [Identifier: Window] = [:]

  init(ids: PlaceIDs) {
    self.ids = ids
  }

  var count: Int { self.places.count }

  subscript(key: LocationKey) -> Place? {
    self.places[key]
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

  mutating func add(
    location: any Location<State>,
    composition: Composition,
    regions: [Place.Region],
    _ cache: inout Cache
  ) -> Place {
    let place = Place(
      id: self.ids.next(),
      location: location,
      composition: composition,
      regions: regions
    )
    self.places[location.key] = place
    self.placesByID[place.id] = place
    if let name = location.submission {
      self.placesBySubmission[name, default: []].insert(place.id)
    }
    for region in regions { cache.use(region, at: place.id) }
    return place
  }

  /// A place shows other regions from now on.
  func put(_ regions: [Place.Region], at place: Place, _ cache: inout Cache) {
    for region in regions { cache.use(region, at: place.id) }
    for region in place.regions where regions.contains(where: { $0 === region }) == false {
      cache.giveUp(region, at: place.id)
    }
    place.regions = regions
  }

  /// A window is at a place from now on, and no longer where it was.
  mutating func put(_ id: Identifier, _ window: Window, _ cache: inout Cache) {
    let old = self.windows.updateValue(window, forKey: id)
    window.place.windows.insert(id)
    if let old, old.place !== window.place {
      old.place.windows.remove(id)
      self.removeIfEmpty(old.place, &cache)
    }
  }

  /// Forgets a window.
  mutating func remove(_ id: Identifier, _ cache: inout Cache) {
    guard let window = self.windows.removeValue(forKey: id) else { return }
    window.place.windows.remove(id)
    self.removeIfEmpty(window.place, &cache)
  }

  /// Everybody at a place is at another from now on.
  mutating func move(_ place: Place, to target: Place, _ cache: inout Cache) {
    for id in place.windows {
      guard let window = self.windows[id] else { continue }
      self.windows[id] = Window(
        place: target,
        stream: window.stream,
        navigation: window.navigation,
        moves: window.moves
      )
    }
    target.windows.formUnion(place.windows)
    place.windows = []
    self.removeIfEmpty(place, &cache)
  }

  /// Forgets a place that nobody has come to.
  mutating func removeIfEmpty(_ place: Place, _ cache: inout Cache) {
    guard place.windows.isEmpty, self.places[place.location.key] === place else { return }
    self.places[place.location.key] = nil
    self.placesByID[place.id] = nil
    if let name = place.location.submission {
      self.placesBySubmission[name]?.remove(place.id)
      if self.placesBySubmission[name]?.isEmpty == true { self.placesBySubmission[name] = nil }
    }
    for region in place.regions { cache.giveUp(region, at: place.id) }
    place.regions = []
  }
}
