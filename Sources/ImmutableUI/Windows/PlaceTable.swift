/// A location that windows are at.
final class Place {
  let id: PlaceID
  let page: ProvidedPage
  let location: Location
  /// What its windows were last sent.
  var composition: Composition
  var windowCount = 0

  init(id: PlaceID, page: ProvidedPage, location: Location, composition: Composition) {
    self.id = id
    self.page = page
    self.location = location
    self.composition = composition
  }
}

/// The places that have windows, or are about to.
struct PlaceTable {
  private var places: [Location: Place] = [:]
  private var lastID: PlaceID = 0

  var all: some Collection<Place> {
    self.places.values
  }

  subscript(location: Location) -> Place? {
    self.places[location]
  }

  func of(_ store: StoreSource) -> [Place] {
    self.places.values.filter { $0.page.store.id == store.id }.sorted { $0.id < $1.id }
  }

  mutating func add(page: ProvidedPage, location: Location, composition: Composition) -> Place {
    self.lastID += 1
    let place = Place(id: self.lastID, page: page, location: location, composition: composition)
    self.places[location] = place
    return place
  }

  mutating func enter(_ place: Place) {
    place.windowCount += 1
  }

  mutating func leave(_ place: Place) {
    place.windowCount -= 1
    self.removeIfEmpty(place)
  }

  mutating func move(_ place: Place, to target: Place) {
    target.windowCount += place.windowCount
    place.windowCount = 0
    self.removeIfEmpty(place)
  }

  mutating func removeIfEmpty(_ place: Place) {
    if place.windowCount == 0, self.places[place.location] === place {
      self.places[place.location] = nil
    }
  }
}
