import ImmutableData
import ImmutableUI
import Logging
import Synchronization
import Tracing

extension Product {
  nonisolated func run() async {
    let following = await self.followOthers()
    defer { withExtendedLifetime(following) {} }
    let signal = await self.source.makeSignal()
    // The store may have changed before the signal existed.
    await self.frameWhenDue()
    for await _ in signal {
      await self.frameWhenDue()
    }
  }

  /// Makes a frame. If there has been one within the interval, it waits for the rest of that.
  /// Otherwise, if it would show that an effect has just begun, it waits for the end of that, up to
  /// half of the interval. Most effects end sooner, and then the frame shows their results.
  private func frameWhenDue() async {
    // The last frame may already have shown everything.
    if self.framedVersion != self.version {
      let interval = self.configuration.frameInterval
      let wait = self.lastFrame.map { interval - (ContinuousClock.now - $0) } ?? .zero
      if wait > .zero {
        try? await Task.sleep(for: wait)
      } else {
        await self.effects?.waitForNewest(interval / 2)
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
    // A span has one parent. The frame is linked to the other actions that it shows.
    withSpan("frame", context: first) { span in
      span.attributes["frame.version"] = Int64(clamping: snapshot.version)
      span.attributes["frame.product"] = self.name
      for other in traces.dropFirst() { span.addLink(SpanLink(context: other, attributes: [:])) }
      self.measuredFrame(of: snapshot, isEverythingConcerned: isEverythingConcerned)
    }
  }

  /// - Returns: The commands for the hubs.
  @discardableResult
  func frame(of snapshot: Snapshot, isEverythingConcerned: Bool) -> [HubCommand] {
    var commands: [HubCommand] = []
    if self.framedVersion != snapshot.version || isEverythingConcerned {
      self.updateOutcomes(to: snapshot)
      let oldVersion = self.framedVersion
      self.framedVersion = snapshot.version
      self.context.counters.audit { self.reducerFinding(in: snapshot, since: oldVersion) }
      let ended = self.endedSubmissions
      self.endedSubmissions = []
      var changed: [Place.Region] = []
      var transition: Transition?
      if case .success(let templates) = self.templates {
        let scope = self.scope(of: snapshot, templates)
        self.regions.beginUpdate(in: scope)
        while self.regions.continueUpdate(to: snapshot.version, in: scope) == false {
          self.makeRoom(&commands)
        }
        changed = self.regions.takeChanged()
        transition = snapshot.transition(since: oldVersion)
      }
      let places =
        isEverythingConcerned ? self.places.all : self.places.showing(changed, or: ended)
      var patches = PatchCache(counters: self.context.counters, times: self.times)
      for place in places where self.places[place.id] != nil {
        let command =
          self.moveIfNeeded(place, in: snapshot, after: self.framedState, &patches)
          ?? self.frame(of: place, in: snapshot, transition, &patches)
        if let command { commands.append(command) }
        self.makeRoom(&commands)
      }
      if snapshot.isPast == false { self.framedState = snapshot.state }
    }
    // A frame that changed nothing must not delay the next one.
    if commands.isEmpty == false { self.lastFrame = .now }
    commands += self.takeOwedVersions()
    if commands.isEmpty == false {
      self.context.counters.frames.add()
      self.times.measure(.write(page: nil)) { self.context.outbox.send(commands) }
    }
    self.sendToasts()
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
    self.updateOutcomes(to: snapshot)
    var patches = PatchCache(counters: self.context.counters)
    var commands: [HubCommand] = []
    for place in self.places.all where self.places[place.id] != nil {
      guard
        let command = self.moveIfNeeded(
          place, in: snapshot, after: self.normalizedState, &patches)
      else { continue }
      commands.append(command)
      self.makeRoom(&commands)
    }
    if snapshot.isPast == false { self.normalizedState = snapshot.state }
    if commands.isEmpty == false { self.context.outbox.send(commands) }
  }

  /// If the renders that windows show have grown beyond the budget, and this product uses more than
  /// its share, cuts streams until there is room again, or it uses less than its share: first
  /// those of clients that are beyond their shares, then those that alone show the most. Their
  /// windows try to join again.
  ///
  /// - Complexity: O(1) if there is room, otherwise O(w log w), w windows.
  private func makeRoom(_ commands: inout [HubCommand]) {
    guard self.regions.hasRoom == false else { return }
    // More than necessary, so that the next growth does not cut streams again.
    let (budget, room) = (self.context.budget, self.regions.bytesInUse / 8)
    var cut: Set<Identifier> = []
    for (stream, windows) in self.places.streams(budget) {
      for window in windows { self.places.remove(window, &self.regions) }
      cut.insert(stream)
      if budget.hasRoom(for: room) || self.regions.bytesInUse <= budget.share / 8 * 7 { break }
    }
    guard cut.isEmpty == false else { return }
    commands.append(.cut(streams: cut))
    self.configuration.logger.warning(
      "Render memory is used up, so some windows were disconnected",
      metadata: ["product": "\(self.name)", "streams": "\(cut.count)"]
    )
  }

  /// Gives up what this product uses beyond its share if others have used up the budget.
  private func makeRoomForOthers() {
    var commands: [HubCommand] = []
    self.makeRoom(&commands)
    if commands.isEmpty == false { self.context.outbox.send(commands) }
  }

  func tick(_ now: ContinuousClock.Instant) {
    self.held.expire(now)
    self.regions.expire(now)
    self.expirePast(now)
    self.makeRoomForOthers()
    self.normalizeAll()
    self.announcePresence()
  }

  /// Tells windows how many windows show their page, if that number has changed since they were
  /// last told.
  ///
  /// - Complexity: O(1) if nothing has changed, otherwise O(p) for the p places.
  private func announcePresence() {
    let commands = self.places.takePresence().map { place, windows in
      let event = EventWriter.presence(
        place: place, windows: windows, version: self.framedVersion)
      return HubCommand.presence(place: place, event)
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

  func moveIfNeeded(
    _ place: Place,
    in snapshot: Snapshot,
    after old: State,
    _ patches: inout PatchCache
  ) -> HubCommand? {
    // In a past state, the things that a window refers to may not exist yet. They exist again once
    // the product shows the present.
    guard snapshot.isPast == false else { return nil }
    // Nearly all are. The key of a location takes longer to compare.
    let isNormalized = place.location.isNormalized(in: snapshot.state, after: old)
    if isNormalized, place.location.submissions.isEmpty { return nil }
    let location = self.normalize(place.location, in: snapshot, after: old)
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
      target = self.addPlace(
        location, composition, regions, version: snapshot.version, for: place.payer)
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

  /// Ensures that a window gets an event for a version, even if nothing that it shows has changed. A
  /// window that shows another product has other versions, and gets none.
  func owe(_ version: UInt64, to window: Post.Window) {
    guard self.context.directory[window.id]?.product === self else { return }
    self.owedVersions.append((window, version))
    if self.framedVersion >= version {
      self.context.outbox.send(self.takeOwedVersions())
    }
  }

  private func takeOwedVersions() -> [HubCommand] {
    let due = self.owedVersions.filter { self.framedVersion >= $0.version }
    self.owedVersions.removeAll { self.framedVersion >= $0.version }
    return due.map { .version($0.version, stream: $0.window.stream, window: $0.window.id) }
  }
}
