import ImmutableData
import ImmutableUI

extension Product {
  nonisolated func show(_ request: WindowRequest, _ requester: Requester) async throws {
    await self.prepare?()
    if request.joins {
      // After a restart, or what the window still shows would vanish until it is loaded.
      let page = self.page(at: request.route.page)
      await self.load(page.windowLocation(request.route.query, request.environment))
    }
    try await self.turns.take(requester) { try await self.show(request) }
  }

  private func show(_ request: WindowRequest) throws {
    let client = self.context.directory.network(of: request.stream)
    let snapshot = self.snapshot()
    let requested = self.page(at: request.route.page)
      .windowLocation(request.route.query, request.environment)
    let shown = self.places[request.window]?.place.composition
    let place = try self.place(
      self.normalize(requested, in: snapshot), in: snapshot, for: client)
    let tags = request.tags.map(place.known)
    // If it is there already, it may just have been sent a frame.
    let sent = self.places[request.window]?.place.composition
    let command = self.command(
      showing: request.window,
      on: request.stream,
      at: place,
      navigation: request.navigation,
      tags: tags ?? [:],
      in: snapshot
    ) { region in
      if let tags {
        tags[region.name].flatMap { self.known($0, region, shown?.rendered(region.name)) }
      } else {
        sent?.rendered(region.name)
      }
    }
    defer { self.places.removeIfEmpty(place, &self.regions) }
    try self.context.directory.put(request, in: self, limits: self.configuration) { moves in
      let window = PlaceTable<State>.Window(
        place: place,
        stream: request.stream,
        navigation: request.navigation,
        moves: moves,
        client: client
      )
      self.places.put(request.window, window, &self.regions)
      self.context.outbox.send([command])
    }
    if request.joins, let failure = self.toasts.takeFailure(for: request.session) {
      self.context.outbox.send(
        self.commands(telling: failure, to: request.window, on: request.stream))
    }
    // The result of these actions reaches the window in a later frame.
    let location = place.location
    let actions = location.appear(in: snapshot.state)
    guard actions.isEmpty == false else { return }
    Task { await self.dispatch(actions, at: location) }
  }

  func showAgain(_ id: Identifier, tags: [String: String]) {
    guard let place = self.places[id]?.place else { return }
    // Otherwise the event would name a version that its content is older than.
    let snapshot = self.snapshot()
    var patches = PatchCache(counters: self.context.counters)
    let old = self.normalizedState
    if let move = self.moveIfNeeded(place, in: snapshot, after: old, &patches) {
      self.context.outbox.send([move])
    } else {
      self.bring(place, to: snapshot)
    }
    guard let window = self.places[id] else { return }
    let command = self.command(
      showing: id,
      on: window.stream,
      at: window.place,
      navigation: window.navigation,
      tags: tags,
      in: snapshot
    ) { region in
      tags[region.name].flatMap { self.known($0, region) }
    }
    self.context.outbox.send([command])
  }

  func forget(_ window: Identifier, since moves: Int?) {
    guard let known = self.places[window] else { return }
    if let moves, known.moves > moves { return }
    // It may come back in a moment.
    if known.place.windows.count == 1 { self.held.hold(known.place.composition) }
    self.places.remove(window, &self.regions)
  }

  /// The render of a tag: the newest, the last that the window was sent, or one that is held.
  private func known(
    _ tag: String,
    _ region: Composition.Region,
    _ shown: Rendered? = nil
  ) -> Rendered? {
    if region.rendered.tag.text == tag { return region.rendered }
    return shown?.tag.text == tag ? shown : Tag(text: tag).flatMap { self.held[$0] }
  }

  private func command(
    showing window: Identifier,
    on stream: Identifier,
    at place: Place,
    navigation: Int,
    tags: [String: String],
    in snapshot: Snapshot,
    has old: (Composition.Region) -> Rendered?
  ) -> HubCommand {
    var cache = PatchCache(counters: self.context.counters)
    var patches = cache.patches(to: place.composition, from: old)
    let release = self.context.directory.release(of: stream)
    if release == .other {
      patches.append(EventWriter.unappliablePatch)
    }
    let event = EventWriter.show(
      window: window,
      navigation: navigation,
      place: place,
      windows: self.places.presence(at: place, with: window),
      assets: self.assets(of: place),
      isOutdated: release == .outdated,
      version: snapshot.version,
      patches: patches
    )
    return .show(
      HubCommand.Show(
        stream: stream,
        window: window,
        place: place.id,
        version: snapshot.version,
        composition: place.composition,
        tags: tags,
        event: event
      )
    )
  }
}
