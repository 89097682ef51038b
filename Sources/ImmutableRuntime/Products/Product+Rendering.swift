import HTMLTemplates
import ImmutableData
import ImmutableUI

extension Product {
  /// The place of a location at a snapshot. If windows are already there, they are updated to it.
  ///
  /// - Parameter client: The client that pays for the place if it is new.
  /// - Throws: ``WindowError`` if there is no room for another place; nothing has changed.
  func place(
    _ location: any Location<State>,
    in snapshot: Snapshot,
    for client: String
  ) throws -> Place {
    if let place = self.places[location.key] {
      self.bring(place, to: snapshot)
      return place
    }
    let (composition, regions) = self.compose(location, in: snapshot)
    let (budget, bytes) = (self.context.budget, self.regions.newBytes(of: regions))
    guard budget.hasRoom(for: bytes, of: client) else {
      throw WindowError(
        code: .tooManyPlaces,
        message: "This network has too many different pages open here. Close some of them."
      )
    }
    // The rest is for pages that are shown already, and grow. A product within its share always gets
    // it: if others have used it up, they make room at their next frame or tick.
    let isWithinShare = self.regions.bytesInUse + bytes <= budget.share / 8 * 7
    guard isWithinShare || budget.hasRoom(for: bytes + budget.limit / 8) else {
      throw WindowError(
        code: .tooManyPlaces,
        message: "The server cannot show more pages at the moment. Try again later."
      )
    }
    return self.addPlace(
      location, composition, regions, version: snapshot.version, for: client)
  }

  func addPlace(
    _ location: any Location<State>,
    _ composition: Composition,
    _ regions: [Place.Region],
    version: UInt64,
    for client: String
  ) -> Place {
    self.places.add(
      location: location,
      composition: composition,
      regions: regions,
      version: version,
      for: client,
      &self.regions
    )
  }

  /// Sends the newest content to all windows at a place.
  func bring(_ place: Place, to snapshot: Snapshot) {
    var patches = PatchCache(counters: self.context.counters)
    if let frame = self.frame(of: place, in: snapshot, nil, &patches) {
      self.context.outbox.send([frame])
    }
  }

  /// Updates a place to a snapshot.
  ///
  /// - Returns: The command that updates its windows, or `nil` if nothing has changed.
  func frame(
    of place: Place,
    in snapshot: Snapshot,
    _ transition: Transition?,
    _ patches: inout PatchCache
  ) -> HubCommand? {
    let old = place.composition
    let (new, regions) = self.compose(place, in: snapshot)
    guard new !== old else { return nil }
    self.held.hold(old, replacedBy: new)
    self.places.put(new, regions, at: place, version: snapshot.version, &self.regions)
    let page = place.location.path
    let changes = patches.patches(to: new, at: page) { old.rendered($0.name) }
    let event = self.times.measure(.write(page: page.text)) {
      EventWriter.frame(
        place: place.id,
        version: snapshot.version,
        title: old.title == new.title ? nil : new.title,
        transition: transition,
        patches: changes
      )
    }
    return .frame(
      HubCommand.Frame(place: place.id, version: snapshot.version, from: old, to: new, event: event)
    )
  }

  /// Renders the regions of a place.
  ///
  /// - Returns: The place's last composition if nothing has changed.
  /// - Complexity: O(r), r regions, plus what has to be rendered.
  private func compose(_ place: Place, in snapshot: Snapshot) -> (Composition, [Place.Region]) {
    let old = place.composition
    if case .success(let templates) = self.templates,
      self.regions.update(
        place.regions, of: old, to: snapshot.version, in: self.scope(of: snapshot, templates))
    {
      let renders = place.regions.map { $0.rendered }
      return (old.with(renders, title: place.location.title), place.regions)
    }
    let (new, regions) = self.compose(place.location, in: snapshot)
    return (old.isSame(as: new) ? old : new, regions)
  }

  /// Renders the regions of a location.
  func compose(
    _ location: any Location<State>,
    in snapshot: Snapshot
  ) -> (Composition, [Place.Region]) {
    let templates: TemplateSet
    switch self.templates {
    case .success(let set):
      templates = set
    case .failure(let error):
      let region = Composition.Region(name: Composition.rootName, rendered: Rendered(error))
      return (Composition(regions: [region], title: location.title), [])
    }
    let scope = self.scope(of: snapshot, templates)
    let named = self.regions.compose(location.root, version: snapshot.version, in: scope)
    let regions = named.map { Composition.Region(name: $0.name, rendered: $0.region.rendered) }
    return (
      Composition(regions: regions, title: location.title),
      // A key path into a generic type is created each time that it is used.
      named.map { $0.region }
    )
  }

  func scope(
    of snapshot: Snapshot,
    _ templates: TemplateSet
  ) -> RenderScope<State, State.Action> {
    RenderScope(
      snapshot: snapshot,
      memos: self.memos,
      templates: templates,
      counters: self.context.counters,
      times: self.times
    )
  }

  /// Shows the new templates, or the error, in every window.
  func use(_ templates: Result<TemplateSet, any Error>) {
    self.templates = templates
    self.regions.removeAll()
    self.discardPast()
    self.framedVersion = 0
    self.frame(isEverythingConcerned: true)
  }
}

extension Rendered {
  /// The error that pages show in development if a template does not compile.
  fileprivate convenience init(_ error: any Error) {
    var writer = HTMLWriter()
    writer.write("<pre role=\"alert\" class=\"template-error\">")
    writer.escape("\(error)")
    writer.write("</pre>")
    self.init(writer)
  }
}
