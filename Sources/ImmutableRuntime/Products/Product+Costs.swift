import ImmutableData
import ImmutableUI

extension Product {
  /// Makes a frame. If the cost of frames is observed, it measures the times.
  ///
  /// - Complexity: The same as the frame. With times, also O(s) for the s updated selectors, and
  ///   O(p) for the p places that show their regions.
  func measuredFrame(of snapshot: Snapshot, isEverythingConcerned: Bool) {
    guard self.costs.isEmpty == false else {
      self.frame(of: snapshot, isEverythingConcerned: isEverythingConcerned)
      return
    }
    // A reload of the templates is not an action.
    let since = isEverythingConcerned ? snapshot.version : self.framedVersion
    let (times, begun) = (FrameTimes(), ContinuousClock.now)
    self.times = times
    let commands = self.frame(of: snapshot, isEverythingConcerned: isEverythingConcerned)
    let duration = .now - begun
    self.times = nil
    let events = commands.compactMap(\.placeEvent)
    let parts = self.parts(of: times)
    self.costs.tell {
      guard parts.isEmpty == false else { return nil }
      return FrameCost(
        product: self.name,
        since: since,
        version: snapshot.version,
        places: events.count,
        bytes: events.reduce(0) { $0 + $1.bytes.count },
        duration: duration,
        parts: parts
      )
    }
  }

  private func parts(of times: FrameTimes) -> [FrameCost.Part] {
    var parts: [FrameCost.Subject: FrameCost.Part] = [:]
    var addresses: [RegionComponent: Address] = [:]
    for sample in times.samples {
      let subject = self.subject(of: sample.part, &addresses)
      var part = parts[subject] ?? FrameCost.Part(subject)
      part.runs += 1
      part.changes += sample.part.isChange ? 1 : 0
      part.duration += sample.duration
      part.rows = FrameTimes.RowCounts.sum(part.rows, sample.part.rows)
      parts[subject] = part
    }
    return Array(parts.values)
  }

  /// The path of a page, and the name of a region of it.
  private typealias Address = (page: String?, region: String?)

  /// - Parameter known: The addresses of components that were already found.
  private func subject(
    of part: FrameTimes.Part,
    _ known: inout [RegionComponent: Address]
  ) -> FrameCost.Subject {
    func address(_ component: RegionComponent) -> Address {
      let address = known[component] ?? self.address(of: component)
      known[component] = address
      return address
    }
    switch part {
    case .select(let label, let position, let readers, _, _):
      let readers = readers.map(address)
      return FrameCost.Subject(
        .select,
        page: readers.map(\.page).common,
        region: readers.map(\.region).common,
        // The text in parentheses differs from window to window.
        name: label.map { String($0.prefix { $0 != "(" }) },
        position: position
      )
    case .render(let component):
      let address = address(component)
      return FrameCost.Subject(
        .render, page: address.page, region: address.region, name: component.name)
    case .difference(let region, let page):
      return FrameCost.Subject(.difference, page: page, region: region)
    case .write(let page):
      return FrameCost.Subject(.write, page: page)
    }
  }

  /// The path of the page that shows a component, and its name there; of the oldest place, if several do.
  private func address(of component: RegionComponent) -> Address {
    guard let id = self.regions.oldestPlace(showing: component), let place = self.places[id],
      let index = place.regions.firstIndex(where: { $0.component == component })
    else { return (nil, nil) }
    return (place.location.path.text, place.composition.regions[index].name)
  }
}

extension WindowGroup {
  /// Calls a closure with the cost of every frame from now on, except for frames of one product.
  /// The closure must be fast. Without such closures, no times are measured.
  package func measureFrames(
    except product: String,
    _ body: @escaping @Sendable (FrameCost) -> Void
  ) {
    for other in self.allProducts where other.name != product { other.costs.add(body) }
  }
}

extension FrameTimes.Part {
  fileprivate var isChange: Bool {
    if case .select(_, _, _, let didChange, _) = self { didChange } else { false }
  }

  fileprivate var rows: FrameTimes.RowCounts? {
    if case .select(_, _, _, _, let rows) = self { rows } else { nil }
  }
}

extension HubCommand {
  /// The event for all windows of a place.
  fileprivate var placeEvent: StreamEvent? {
    switch self {
    case .frame(let frame): frame.event
    case .move(let move): move.event
    case .show, .version, .tell, .presence, .leave, .cut, .goodbye: nil
    }
  }
}

extension [String?] {
  /// The text, if all elements are equal; otherwise `nil`.
  fileprivate var common: String? {
    guard let first = self.first, self.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}
