import DequeModule

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
  /// The lines that were read ahead of the actions, by version, and then by line.
  private(set) var waiting: Deque<(line: Int, page: RecordedPage)> = []

  /// - Complexity: O(1) if no waiting page is newer; otherwise O(n), n waiting pages.
  mutating func add(_ page: RecordedPage, line: Int) {
    let last = self.waiting.lastIndex { $0.page.version <= page.version }
    self.waiting.insert((line, page), at: last.map { $0 + 1 } ?? 0)
  }

  /// The next change of a place that is no newer than a version.
  ///
  /// - Complexity: O(1), amortised.
  mutating func next(through version: UInt64) -> Place? {
    while let (line, page) = self.waiting.first, page.version <= version {
      self.waiting.removeFirst()
      self.places[page.place] = page.following(self.places[page.place])
      if let place = Place(self.places[page.place], line: line) { return place }
    }
    return nil
  }
}
