/// A location that windows are at.
final class Place {
  let id: PlaceID
  let page: ProvidedPage
  let location: Location
  /// What its windows were last sent.
  var composition: Composition
  /// What it shows, as it was when it was composed.
  fileprivate(set) var regions: [Region]
  var windowCount = 0

  fileprivate init(
    id: PlaceID,
    page: ProvidedPage,
    location: Location,
    composition: Composition,
    regions: [Region]
  ) {
    self.id = id
    self.page = page
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

/// The places that have windows, or are about to. There are no more than windows.
struct PlaceTable {
  private var places: [Location: Place] = [:]
  private var placesByID: [ObjectIdentifier: [PlaceID: Place]] = [:]
  /// By the submission that they wait for, or whose failure they show.
  private var placesBySubmission: [String: Set<PlaceID>] = [:]
  private var lastID: PlaceID = 0

  var all: some Collection<Place> {
    self.places.values
  }

  subscript(location: Location) -> Place? {
    self.places[location]
  }

  /// The places of a store, oldest first.
  ///
  /// - Complexity: O(n log n), n places.
  func of(_ store: StoreSource) -> [Place] {
    (self.placesByID[store.id] ?? [:]).values.sorted { $0.id < $1.id }
  }

  /// The places of a store that show one of these regions, or wait for one of these submissions; oldest first.
  ///
  /// - Complexity: O(c log c), c places.
  func of(_ store: StoreSource, showing regions: [Region], or submissions: [String]) -> [Place] {
    var ids: Set<PlaceID> = []
    for region in regions { ids.formUnion(region.places) }
    for name in submissions { ids.formUnion(self.placesBySubmission[name] ?? []) }
    let places = self.placesByID[store.id] ?? [:]
    return ids.sorted().compactMap { places[$0] }
  }

  mutating func add(
    page: ProvidedPage,
    location: Location,
    composition: Composition,
    regions: [Region],
    _ cache: inout RegionCache
  ) -> Place {
    self.lastID += 1
    let place = Place(
      id: self.lastID,
      page: page,
      location: location,
      composition: composition,
      regions: regions
    )
    self.places[location] = place
    self.placesByID[page.store.id, default: [:]][place.id] = place
    if let name = page.submission(location) {
      self.placesBySubmission[name, default: []].insert(place.id)
    }
    for region in regions { cache.use(region, at: place.id) }
    return place
  }

  /// A place shows other regions from now on.
  func put(_ regions: [Region], at place: Place, _ cache: inout RegionCache) {
    for region in regions { cache.use(region, at: place.id) }
    for region in place.regions where regions.contains(where: { $0 === region }) == false {
      cache.giveUp(region, at: place.id)
    }
    place.regions = regions
  }

  mutating func enter(_ place: Place) {
    place.windowCount += 1
  }

  mutating func leave(_ place: Place, _ cache: inout RegionCache) {
    place.windowCount -= 1
    self.removeIfEmpty(place, &cache)
  }

  mutating func move(_ place: Place, to target: Place, _ cache: inout RegionCache) {
    target.windowCount += place.windowCount
    place.windowCount = 0
    self.removeIfEmpty(place, &cache)
  }

  private mutating func removeIfEmpty(_ place: Place, _ cache: inout RegionCache) {
    guard place.windowCount == 0, self.places[place.location] === place else { return }
    self.places[place.location] = nil
    self.placesByID[place.page.store.id]?[place.id] = nil
    if let name = place.page.submission(place.location) {
      self.placesBySubmission[name]?.remove(place.id)
      if self.placesBySubmission[name]?.isEmpty == true { self.placesBySubmission[name] = nil }
    }
    for region in place.regions { cache.giveUp(region, at: place.id) }
    place.regions = []
  }
}
