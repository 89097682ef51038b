import ImmutableData
import ImmutableUI
import Synchronization
import Tracing

extension Product {
  nonisolated func run() async {
    let signal = await self.source.makeSignal()
    // The store may have changed before the signal existed.
    await self.frameWhenDue()
    for await _ in signal {
      await self.frameWhenDue()
    }
  }

  /// Makes a frame: immediately if the last was long ago, otherwise when the interval has passed.
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

  func frame() {
    self.frame(isEverythingConcerned: false)
    self.normalizeAll()
  }

  /// - Parameter isEverythingConcerned: Whether to check every place. Otherwise only the places are
  ///   checked that show something that has changed, or wait for a submission that has ended.
  /// - Complexity: O(s) for the s selectors that windows read, and O(c) for the c places checked.
  func frame(isEverythingConcerned: Bool) {
    let snapshot = self.source.snapshot()
    let traces = snapshot.traces(since: self.framedVersion)
    guard let first = traces.first else {
      return self.measuredFrame(of: snapshot, isEverythingConcerned: isEverythingConcerned)
    }
    // A frame has one parent. It is linked with what else it shows.
    withSpan("frame", context: first) { span in
      span.attributes["frame.version"] = Int64(clamping: snapshot.version)
      span.attributes["frame.product"] = self.name
      for other in traces.dropFirst() { span.addLink(SpanLink(context: other, attributes: [:])) }
      self.measuredFrame(of: snapshot, isEverythingConcerned: isEverythingConcerned)
    }
  }

  /// - Returns: What hubs were told to do.
  @discardableResult
  func frame(of snapshot: Snapshot, isEverythingConcerned: Bool) -> [HubCommand] {
    var commands: [HubCommand] = []
    if self.framedVersion != snapshot.version || isEverythingConcerned {
      let oldVersion = self.framedVersion
      self.framedVersion = snapshot.version
      self.updateOutcomes()
      let ended = self.endedSubmissions
      self.endedSubmissions = []
      var changed: [Place.Region] = []
      var transition: Transition?
      if case .success(let templates) = self.templates {
        let scope = self.scope(of: snapshot, templates)
        changed = self.regions.update(to: snapshot.version, in: scope)
        transition = scope.transition(since: oldVersion)
      }
      let places =
        isEverythingConcerned ? self.places.all : self.places.showing(changed, or: ended)
      var patches = PatchCache(counters: self.context.counters, times: self.times)
      for place in places {
        let command =
          self.moveIfNeeded(place, in: snapshot, &patches)
          ?? self.frame(of: place, in: snapshot, transition, &patches)
        if let command { commands.append(command) }
      }
    }
    // A frame that changed nothing must not delay the next one.
    if commands.isEmpty == false { self.lastFrame = .now }
    commands += self.takeOwedVersions()
    if commands.isEmpty == false {
      self.context.counters.frames.add()
      self.times.measure(.write(page: nil)) { self.context.outbox.send(commands) }
    }
    self.releaseActions(through: snapshot.version)
    self.latency.didPush(snapshot.version)
    return commands
  }

  /// Moves windows whose local state has to be normalized although nothing that they show has
  /// changed.
  ///
  /// - Complexity: O(p) for the p places if the store has changed.
  private func normalizeAll() {
    let snapshot = self.source.snapshot()
    guard self.normalizedVersion != snapshot.version else { return }
    self.normalizedVersion = snapshot.version
    self.updateOutcomes()
    var patches = PatchCache(counters: self.context.counters)
    let commands = self.places.all.compactMap { self.moveIfNeeded($0, in: snapshot, &patches) }
    if commands.isEmpty == false { self.context.outbox.send(commands) }
  }

  func tick(_ now: ContinuousClock.Instant) {
    self.held.expire(now)
    self.regions.expire(now)
    self.normalizeAll()
    self.announcePresence()
  }

  /// Tells windows how many show their page, if that has changed since they were told.
  ///
  /// - Complexity: O(1) if nothing has changed, otherwise O(p) for the p places.
  private func announcePresence() {
    let commands = self.places.takePresence().map { place, windows in
      let event = EventWriter.presence(
        place: place, windows: windows, version: self.framedVersion)
      return HubCommand.presence(HubCommand.Presence(place: place, event: event))
    }
    if commands.isEmpty == false { self.context.outbox.send(commands) }
  }

  /// Releases the actions up to a version, because all readers have seen them. Actions since a post
  /// in progress began are kept, because the status of its effect is found from them.
  private func releaseActions(through version: UInt64) {
    self.source.releaseActions(
      through: self.posts.withLock { $0.values.reduce(version) { min($0, $1) } })
    if self.context.shownRoots.contains(self.source.root) == false {
      self.source.releaseRootActions()
    }
  }

  private func moveIfNeeded(
    _ place: Place,
    in snapshot: Snapshot,
    _ patches: inout PatchCache
  ) -> HubCommand? {
    // What a window shows may have yet to come, and is there again when its product is.
    guard snapshot.isPast == false else { return nil }
    let location = self.normalize(place.location, in: snapshot)
    guard location.key != place.location.key else { return nil }
    return self.move(place, to: location, in: snapshot, &patches)
  }

  /// Moves all windows of a place to the place of its normalized local state.
  private func move(
    _ place: Place,
    to location: any Location<State>,
    in snapshot: Snapshot,
    _ patches: inout PatchCache
  ) -> HubCommand {
    let old = place.composition
    let target: Place
    if let there = self.places[location.key] {
      self.bring(there, to: snapshot)
      target = there
    } else {
      // This needs no check of the budget, because the old place is removed.
      let (composition, regions) = self.compose(location, in: snapshot)
      target = self.addPlace(location, composition, regions, version: snapshot.version)
    }
    self.places.move(place, to: target, &self.regions)
    let page = target.location.path
    let changes = patches.patches(to: target.composition, at: page) { old.rendered($0.name) }
    let event = self.times.measure(.write(page: page.text)) {
      EventWriter.move(
        from: place.id,
        to: target,
        assets: self.assets(of: target),
        version: snapshot.version,
        patches: changes
      )
    }
    return .move(
      HubCommand.Move(
        place: place.id,
        to: target.id,
        version: snapshot.version,
        from: old,
        composition: target.composition,
        event: event
      )
    )
  }

  /// Ensures that a stream gets an event for a version, even if nothing that it shows has changed.
  func owe(_ version: UInt64, to stream: Identifier) {
    self.owedVersions.append((stream, version))
    if self.framedVersion >= version {
      self.context.outbox.send(self.takeOwedVersions())
    }
  }

  private func takeOwedVersions() -> [HubCommand] {
    let due = self.owedVersions.filter { self.framedVersion >= $0.version }
    self.owedVersions.removeAll { self.framedVersion >= $0.version }
    return due.map { owed in
      .version(
        HubCommand.Version(
          stream: owed.stream,
          version: owed.version,
          event: EventWriter.version(owed.version)
        )
      )
    }
  }
}

extension RenderScope {
  /// The transition for the changes since a version. If there are several, the last one wins.
  fileprivate func transition(since version: UInt64) -> Transition? {
    self.actions(since: version)?.last { $0.transition != nil }?.transition
  }
}
