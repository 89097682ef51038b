import HTMLTemplates

// Rendering.
extension WindowGroup {
  /// The place of a location, at the version; windows that are there already are brought to it.
  func place(
    _ page: ProvidedPage,
    _ location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable
  ) -> Place {
    if let place = self.places[location] {
      var patches = PatchCache(counters: self.counters)
      if let frame = self.frame(of: place, version, snapshot, &patches) {
        self.send([frame])
      }
      return place
    }
    let composition = self.composition(page, location, version, snapshot)
    return self.places.add(page: page, location: location, composition: composition)
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
    guard let new = self.compose(place, version, snapshot) else { return nil }
    let event = EventWriter.frame(
      place: place.id,
      version: version,
      patches: patches.patches(to: new) { old.rendered($0.name) }
    )
    return .frame(Frame(place: place.id, version: version, from: old, to: new, event: event))
  }

  /// - Returns: The place's new composition, or `nil` if nothing has changed.
  private func compose(
    _ place: Place,
    _ version: UInt64,
    _ snapshot: any Sendable
  ) -> Composition? {
    let new = self.composition(
      place.page,
      place.location,
      version,
      snapshot,
      old: place.composition
    )
    guard new !== place.composition else { return nil }
    self.held.hold(place.composition)
    place.composition = new
    return new
  }

  func composition(
    _ page: ProvidedPage,
    _ location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable,
    old: Composition? = nil
  ) -> Composition {
    let regions: [Composition.Region]
    switch self.templates {
    case .success(let templates):
      let scope = RenderScope(
        store: page.store,
        snapshot: snapshot,
        memos: self.memos,
        templates: templates,
        counters: self.counters
      )
      regions = self.regions.compose(location.root, version: version, in: scope)
    case .failure(let error):
      regions = [Composition.Region(name: Composition.rootName, rendered: Rendered(error))]
    }
    if let old, old.isSame(as: regions) { return old }
    return Composition(regions: regions)
  }

  /// A render that a window may have, by its tag.
  func heldRender(_ tag: String) -> Rendered? {
    Tag(text: tag).flatMap { self.held[$0] }
  }

  func hold(_ composition: Composition) {
    self.held.hold(composition)
  }

  /// Forgets renders that nobody came back for. Call it every second or so.
  public func tick(now: ContinuousClock.Instant) {
    self.held.expire(now)
    self.reportMetrics()
  }

  /// How many regions' newest renders are kept, and selectors' memos.
  package var cachedRegionCount: Int { self.regions.count }
  package var memoCount: Int { self.memos.count }

  func sweep() {
    if self.regions.sweep(keeping: { self.places.all.map(\.composition) }) {
      self.memos.sweep()
    }
  }

  /// Compiles the templates again, for development. Every window shows the new ones, or the error.
  ///
  /// - Returns: The error, if one does not compile.
  @discardableResult
  public func reloadTemplates() -> (any Error)? {
    self.templates = Result { try self.makeTemplates() }
    self.regions.removeAll()
    self.framedVersions.removeAll()
    self.frame()
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
