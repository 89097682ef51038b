/// The pages that windows showed at a point of a recording.
struct RecordedPlaces {
  struct Place {
    let line: Int
    let version: UInt64
    let beginning: RecordedPage.Beginning
    let tags: [String: String]

    fileprivate init?(_ page: RecordedPage?, line: Int) {
      guard let page, let beginning = page.begins, let tags = page.tags else { return nil }
      self.line = line
      self.version = page.version
      self.beginning = beginning
      self.tags = tags.compactMapValues(\.self)
    }
  }

  private var places: [Int: RecordedPage] = [:]
  /// The lines that were read ahead of the actions, which are few.
  private(set) var waiting: [(line: Int, page: RecordedPage)] = []

  mutating func add(_ page: RecordedPage, line: Int) {
    self.waiting.append((line, page))
  }

  /// The next change of a place that is no newer than a version.
  mutating func next(through version: UInt64) -> Place? {
    while let index = self.waiting.firstIndex(where: { $0.page.version <= version }) {
      let (line, page) = self.waiting.remove(at: index)
      self.places[page.place] = page.following(self.places[page.place])
      if let place = Place(self.places[page.place], line: line) { return place }
    }
    return nil
  }
}
