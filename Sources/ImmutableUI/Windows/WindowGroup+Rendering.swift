import HTMLTemplates

// Rendering.
extension WindowGroup {
  /// The place of a location, at the version; windows that are there already are brought to it.
  ///
  /// - Throws: ``WindowError`` if there is no room for another; nothing has changed.
  func place(
    _ page: ProvidedPage,
    _ location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable
  ) throws -> Place {
    if let place = self.places[location] {
      self.bring(place, to: version, snapshot)
      return place
    }
    let (composition, regions) = self.compose(page, location, version, snapshot)
    let bytes = regions.lazy.filter(\.places.isEmpty).reduce(0) { $0 + $1.rendered.heapSize }
    guard self.regions.bytesInUse + bytes <= self.configuration.renderBytes else {
      throw WindowError(
        code: .tooManyPlaces,
        message: "The server shows as much as it can. Try again in a moment."
      )
    }
    return self.addPlace(page, location, composition, regions)
  }

  func addPlace(
    _ page: ProvidedPage,
    _ location: Location,
    _ composition: Composition,
    _ regions: [Region]
  ) -> Place {
    self.places.add(
      page: page,
      location: location,
      composition: composition,
      regions: regions,
      &self.regions
    )
  }

  /// Sends everybody at a place what is newest.
  func bring(_ place: Place, to version: UInt64, _ snapshot: any Sendable) {
    var patches = PatchCache(counters: self.counters)
    if let frame = self.frame(of: place, version, snapshot, &patches) {
      self.send([frame])
    }
  }

  /// Brings a place to a version.
  ///
  /// - Returns: The order that brings its windows there, or `nil` if nothing has changed.
  func frame(
    of place: Place,
    _ version: UInt64,
    _ snapshot: any Sendable,
    _ patches: inout PatchCache
  ) -> Order? {
    let old = place.composition
    let (new, regions) = self.compose(place.page, place.location, version, snapshot, old: old)
    guard new !== old else { return nil }
    self.held.hold(old)
    place.composition = new
    self.places.put(regions, at: place, &self.regions)
    let event = EventWriter.frame(
      place: place.id,
      version: version,
      patches: patches.patches(to: new) { old.rendered($0.name) }
    )
    return .frame(Frame(place: place.id, version: version, from: old, to: new, event: event))
  }

  /// What a location shows.
  ///
  /// - Parameter old: What it showed before: the answer, if nothing has changed.
  func compose(
    _ page: ProvidedPage,
    _ location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable,
    old: Composition? = nil
  ) -> (Composition, [Region]) {
    let templates: TemplateSet
    switch self.templates {
    case .success(let set):
      templates = set
    case .failure(let error):
      let region = Composition.Region(name: Composition.rootName, rendered: Rendered(error))
      if let old, old.regions.map(\.rendered.tag) == [region.rendered.tag] { return (old, []) }
      return (Composition(regions: [region]), [])
    }
    let scope = self.scope(of: page.store, snapshot, templates)
    let named = self.regions.compose(location.root, version: version, in: scope)
    let regions = named.map { Composition.Region(name: $0.name, rendered: $0.region.rendered) }
    let composition = old.flatMap { $0.isSame(as: regions) ? $0 : nil }
    return (composition ?? Composition(regions: regions), named.map(\.region))
  }

  func scope(
    of store: StoreSource,
    _ snapshot: any Sendable,
    _ templates: TemplateSet
  ) -> RenderScope {
    RenderScope(
      store: store,
      snapshot: snapshot,
      memos: self.memos,
      templates: templates,
      counters: self.counters
    )
  }

  /// A render that a window may have, by its tag.
  func heldRender(_ tag: String) -> Rendered? {
    Tag(text: tag).flatMap { self.held[$0] }
  }

  func hold(_ composition: Composition) {
    self.held.hold(composition)
  }

  /// Does what is due now and then: forgets renders that nobody came back for, and normalises places whose
  /// normal form depends on what they do not show. Call it every second or so.
  ///
  /// - Complexity: O(p) for the p places of stores that have changed.
  public func tick(now: ContinuousClock.Instant) {
    self.held.expire(now)
    self.regions.expire(now)
    self.normalizeAll()
    self.reportMetrics()
  }

  /// How many regions' newest renders are kept, and selectors' memos.
  package var cachedRegionCount: Int { self.regions.count }
  package var memoCount: Int { self.memos.count }

  /// Compiles the templates again, for development. Every window shows the new ones, or the error.
  ///
  /// - Returns: The error, if one does not compile.
  @discardableResult
  public func reloadTemplates() -> (any Error)? {
    self.templates = Result { try self.makeTemplates() }
    self.regions.removeAll()
    self.framedVersions.removeAll()
    self.frame(isEverythingConcerned: true)
    if case .failure(let error) = self.templates { return error }
    return nil
  }
}

extension Rendered {
  /// What a page shows whose templates do not compile, in development.
  fileprivate convenience init(_ error: any Error) {
    var writer = HTMLWriter()
    writer.write("<pre role=\"alert\" class=\"template-error\">")
    writer.escape("\(error)")
    writer.write("</pre>")
    self.init(writer)
  }
}
