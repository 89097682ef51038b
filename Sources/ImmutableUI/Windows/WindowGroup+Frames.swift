import ImmutableData

// Frames.
extension WindowGroup {
  /// Makes frames as the stores change, until the task is cancelled.
  public nonisolated func run() async {
    await withTaskGroup { group in
      for store in self.stores {
        group.addTask {
          let signal = await store.makeSignal()
          // Something may have happened before there was a signal.
          await self.frameWhenDue()
          for await _ in signal {
            await self.frameWhenDue()
          }
        }
      }
    }
  }

  /// Makes a frame: at once when the last was long ago, else when the interval has passed.
  private func frameWhenDue() async {
    guard self.isFrameDue == false else { return }
    if let last = self.lastFrame {
      let wait = self.configuration.frameInterval - (ContinuousClock.now - last)
      if wait > .zero {
        self.isFrameDue = true
        try? await Task.sleep(for: wait)
        self.isFrameDue = false
      }
    }
    self.frame(isEverythingConcerned: false)
  }

  /// Brings every window to the newest state of the stores that changed.
  public func frame() {
    self.frame(isEverythingConcerned: false)
    self.normalizeAll()
  }

  /// - Parameter isEverythingConcerned: Whether to look at each place; else at those that show something
  ///   that has changed, or wait for a submission that has ended.
  /// - Complexity: O(s) for the s selectors that windows of the stores that changed read, and O(c) for the c
  ///   places concerned.
  func frame(isEverythingConcerned: Bool) {
    let rootVersion = self.stores.first?.rootVersion() ?? 0
    var orders: [Order] = []
    for store in self.stores {
      let (version, snapshot) = store.snapshot()
      guard self.framedVersions[store.id] != version else { continue }
      self.framedVersions[store.id] = version
      self.updateOutcomes(of: store)
      let ended = self.endedSubmissions.removeValue(forKey: store.id) ?? []
      var changed: [Region] = []
      if case .success(let templates) = self.templates {
        let scope = self.scope(of: store, snapshot, templates)
        changed = self.regions.update(to: version, in: scope)
      }
      let places =
        isEverythingConcerned
        ? self.places.of(store) : self.places.of(store, showing: changed, or: ended)
      var patches = PatchCache(counters: self.counters)
      for place in places {
        if let order = self.advance(place, to: version, snapshot, &patches) {
          orders.append(order)
        }
      }
    }
    // What shows nothing new must not delay what does.
    if orders.isEmpty == false { self.lastFrame = .now }
    orders += self.takeOwedVersions()
    if orders.isEmpty == false {
      self.counters.add(\.frames)
      self.send(orders)
    }
    self.releaseActions(through: rootVersion)
    self.metrics.didPush(self.framedVersions)
    self.reportMetrics()
  }

  /// Takes windows to where they belong whose local state should be another by now, although nothing that they
  /// show has changed.
  func normalizeAll() {
    for store in self.stores {
      let (version, snapshot) = store.snapshot()
      guard self.normalizedVersions[store.id] != version else { continue }
      self.normalizedVersions[store.id] = version
      self.updateOutcomes(of: store)
      var patches = PatchCache(counters: self.counters)
      let orders = self.places.of(store).compactMap {
        self.moveIfNeeded($0, version, snapshot, &patches)
      }
      if orders.isEmpty == false { self.send(orders) }
    }
  }

  /// All that look at actions have seen those up to a version, but for posts that are under way: how their
  /// effects stand is looked at from where they began.
  private func releaseActions(through version: UInt64) {
    let version = self.posts.values.reduce(version) { min($0, $1) }
    self.stores.first?.release(version)
  }

  /// Reports what the caches hold.
  public func reportCaches() async {
    let submissions = await self.submissions.size
    let metrics = self.metrics
    metrics.report("submissions", count: submissions.count, bytes: submissions.bytes)
    metrics.report("drafts", count: self.drafts.count, bytes: self.drafts.bytes)
    metrics.report("outcomes", count: self.outcomes.count, bytes: self.outcomes.bytes)
    metrics.report("held_renders", count: self.held.count, bytes: self.held.bytes)
    metrics.report(
      "unused_renders", count: self.regions.countUnused, bytes: self.regions.bytesUnused)
    metrics.report("used_renders", count: self.regions.countInUse, bytes: self.regions.bytesInUse)
    metrics.report("selectors", count: self.memos.count, bytes: 0)
  }

  /// Brings the metrics up to now; they are also brought there by each frame, and by ``tick(now:)``.
  public func reportMetrics() {
    self.metrics.report(
      self.counts,
      windows: self.windowCount,
      streams: self.streamCount,
      places: self.places.all.count
    )
  }

  /// Brings one place to a version, or its windows to where they belong then.
  private func advance(
    _ place: Place,
    to version: UInt64,
    _ snapshot: any Sendable,
    _ patches: inout PatchCache
  ) -> Order? {
    self.moveIfNeeded(place, version, snapshot, &patches)
      ?? self.frame(of: place, version, snapshot, &patches)
  }

  private func moveIfNeeded(
    _ place: Place,
    _ version: UInt64,
    _ snapshot: any Sendable,
    _ patches: inout PatchCache
  ) -> Order? {
    let location = self.normalize(place.page, place.location, snapshot)
    guard location != place.location else { return nil }
    return self.move(place, to: location, version, snapshot, &patches)
  }

  /// Takes everybody at a place to where its normalised local state is.
  private func move(
    _ place: Place,
    to location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable,
    _ patches: inout PatchCache
  ) -> Order {
    let old = place.composition
    let target: Place
    if let there = self.places[location] {
      self.bring(there, to: version, snapshot)
      target = there
    } else {
      // There is room for it: the old one goes.
      let (composition, regions) = self.compose(place.page, location, version, snapshot)
      target = self.addPlace(place.page, location, composition, regions)
    }
    self.registry.move(from: place.id, to: target)
    self.places.move(place, to: target, &self.regions)
    let event = EventWriter.move(
      from: place.id,
      to: target,
      version: version,
      patches: patches.patches(to: target.composition) { old.rendered($0.name) }
    )
    return .move(
      Move(
        place: place.id,
        to: target.id,
        version: version,
        from: old,
        composition: target.composition,
        event: event
      )
    )
  }

  /// Makes sure that a stream gets an event for a version of a store, even if nothing that it shows
  /// has changed.
  func owe(_ version: UInt64, of store: StoreSource, to stream: Identifier) {
    self.owedVersions.append((store.id, stream, version))
    if self.framedVersions[store.id, default: 0] >= version {
      self.send(self.takeOwedVersions())
    }
  }

  private func takeOwedVersions() -> [Order] {
    let due = self.owedVersions.filter { self.framedVersions[$0.store, default: 0] >= $0.version }
    self.owedVersions.removeAll { self.framedVersions[$0.store, default: 0] >= $0.version }
    return due.map { owed in
      .version(
        Version(
          stream: owed.stream,
          version: owed.version,
          event: EventWriter.version(owed.version)
        )
      )
    }
  }
}
