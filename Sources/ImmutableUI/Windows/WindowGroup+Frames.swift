import ImmutableData

// Frames.
extension WindowGroup {
  /// Makes frames as the stores change, until the task is cancelled.
  public nonisolated func run() async {
    await withTaskGroup { group in
      for store in self.stores {
        group.addTask {
          for await _ in await store.makeSignal() {
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
    self.frame()
  }

  /// Brings every window to the newest state of the stores that changed.
  public func frame() {
    self.lastFrame = .now
    var orders: [Order] = []
    for store in self.stores {
      let (version, snapshot) = store.snapshot()
      guard self.framedVersions[store.id] != version else { continue }
      self.framedVersions[store.id] = version
      self.updateOutcomes()
      var patches = PatchCache(counters: self.counters)
      for place in self.places.of(store) {
        orders += self.advance(place, to: version, snapshot, &patches)
      }
    }
    orders += self.takeOwedVersions()
    if orders.isEmpty == false {
      self.counters.add(\.frames)
      self.send(orders)
    }
    self.metrics.didPush(self.framedVersions)
    self.reportMetrics()
    self.sweep()
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
  ) -> [Order] {
    let location = self.normalize(place.page, place.location, snapshot)
    if location != place.location {
      return [self.move(place, to: location, version, snapshot, &patches)]
    }
    return self.frame(of: place, version, snapshot, &patches).map { [$0] } ?? []
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
    let target = self.place(place.page, location, version, snapshot)
    self.registry.move(from: place.id, to: target)
    self.places.move(place, to: target)
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
