import ImmutableData
package import ImmutableUI

/// The effect of an action on a region of a page.
package struct RegionCause: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case appeared
    case changed
    case disappeared
    case none
  }

  package let name: String
  /// The type of its component.
  package let component: String
  /// The path of its component's template below the folder of templates, without its extension; `nil` if
  /// it has none.
  package let template: String?
  package let change: Change
  /// How long it took to render the region again; `nil` if that was not needed.
  package let duration: Duration?
  /// The size of its HTML.
  package let bytes: Int
  /// The selectors that it reads, in order.
  package let selectors: [SelectorCause]

  package init(
    name: String,
    component: String,
    template: String? = nil,
    change: Change,
    duration: Duration?,
    bytes: Int,
    selectors: [SelectorCause]
  ) {
    self.name = name
    self.component = component
    self.template = template
    self.change = change
    self.duration = duration
    self.bytes = bytes
    self.selectors = selectors
  }
}

/// The effect of an action on a selector.
package struct SelectorCause: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    /// Its filter refused the action, or the rows that it depends on have not changed.
    case refused
    case sameDependencies
    case sameOutput
    case changed
    /// The region that reads it did not exist before.
    case appeared
  }

  /// Its label, if it has one.
  package let label: String?
  /// Where it is declared: file and line.
  package let position: String
  package let outcome: Outcome
  /// How long the update took.
  package let duration: Duration
  /// The rows that the update went through; `nil` if it is not a selector of a table, or the region
  /// did not exist before.
  package let rows: FrameTimes.RowCounts?

  package init(
    label: String?,
    position: String,
    outcome: Outcome,
    duration: Duration,
    rows: FrameTimes.RowCounts? = nil
  ) {
    self.label = label
    self.position = position
    self.outcome = outcome
    self.duration = duration
    self.rows = rows
  }
}

extension Product {
  /// The effect of an action on a page. To find it, this renders the page in the state before the
  /// action, and updates each selector to the state after it, as a frame does.
  ///
  /// - Returns: `nil` if the action belongs to another product or was refused, or if templates do
  ///   not compile.
  nonisolated func causes(
    _ route: Route,
    of dispatch: Dispatch<any Sendable, any Sendable>,
    _ environment: WindowEnvironment
  ) -> [RegionCause]? {
    guard let old = dispatch.oldState as? State, let action = dispatch.action as? State.Action,
      let new = (try? dispatch.result.get()) as? State, let templates = try? self.templates.get()
    else { return nil }
    let location = self.page(at: route.page).location(route.query, environment)
    return self.render(in: old) { renderer -> [RegionCause] in
      // The regions themselves change with the next state.
      let before = renderer.regions(of: location.normalized(in: old).root).map { name, region in
        (name: name, component: region.component, rendered: region.rendered, reads: region.reads)
      }
      renderer.move(to: new, after: action)
      let times = FrameTimes()
      var selectors: [ObjectIdentifier: SelectorCause] = [:]
      func cause(_ read: SelectorRead) -> SelectorCause {
        if let known = selectors[ObjectIdentifier(read.memo)] { return known }
        let counters = FrameCounters()
        var changes = read.changes
        let scope = renderer.scope(counters: counters, times: times)
        let duration = ContinuousClock().measure { changes = read.memo.update(in: scope) }
        let rows = times.takeRows()
        let cause = SelectorCause(
          label: read.memo.label,
          position: read.definition.position,
          outcome: SelectorCause.Outcome(
            counters.current, rows, didChange: changes != read.changes),
          duration: duration,
          rows: rows
        )
        selectors[ObjectIdentifier(read.memo)] = cause
        return cause
      }
      let updates = before.map { region -> (selectors: [SelectorCause], duration: Duration?) in
        let selectors = region.reads.map(cause)
        guard selectors.contains(where: { $0.outcome == .changed }) else {
          return (selectors, nil)
        }
        let scope = renderer.scope(counters: FrameCounters(), times: nil)
        var rendered = region.rendered
        let duration = ContinuousClock().measure {
          rendered =
            Rendering.render(region.component, previous: region.rendered, in: scope).0
        }
        // If its body is equal, it is not rendered.
        return (selectors, rendered === region.rendered ? nil : duration)
      }

      let after = renderer.regions(of: location.normalized(in: new).root)
      let tags = Dictionary(after.map { ($0.name, $0.region.rendered.tag) }) { first, _ in first }
      let causes = zip(before, updates).map { region, update in
        RegionCause(
          name: region.name,
          component: region.component.name,
          template: region.component.template,
          change: tags[region.name].map { $0 == region.rendered.tag ? .none : .changed }
            ?? .disappeared,
          duration: update.duration,
          bytes: region.rendered.size,
          selectors: update.selectors
        )
      }
      let names = Set(before.map { $0.name })
      guard after.contains(where: { names.contains($0.name) == false }) else { return causes }
      // What appears costs as much as when the page is opened.
      return causes
        + self.appearing(at: location, in: new, templates).filter {
          names.contains($0.name) == false
        }
    }
  }

  /// The regions of a page in a state, as if the page had just been opened.
  ///
  /// - Returns: `nil` if the state belongs to another product, or templates do not compile.
  nonisolated func causes(
    _ route: Route,
    in state: any Sendable,
    _ environment: WindowEnvironment
  ) -> [RegionCause]? {
    guard let state = state as? State, let templates = try? self.templates.get() else { return nil }
    let location = self.page(at: route.page).location(route.query, environment)
    return self.appearing(at: location, in: state, templates)
  }

  /// The regions of a page, as if the page had just been opened.
  private nonisolated func appearing(
    at location: any Location<State>,
    in state: State,
    _ templates: TemplateSet
  ) -> [RegionCause] {
    let times = FrameTimes()
    let renderer = StillRenderer(
      in: state, templates: templates, logger: self.configuration.logger, times: times)
    let regions = renderer.regions(of: location.normalized(in: state).root)
    let durations = times.durations
    return regions.map { name, region in
      RegionCause(
        name: name,
        component: region.component.name,
        template: region.component.template,
        change: .appeared,
        duration: durations.renders[region.component],
        bytes: region.rendered.size,
        selectors: region.reads.map { read in
          SelectorCause(
            label: read.memo.label,
            position: read.definition.position,
            outcome: .appeared,
            duration: durations.selectors[[read.definition.position, read.memo.label]] ?? .zero
          )
        }
      )
    }
  }
}

extension FrameTimes {
  /// The times of renders, by component, and of selectors, by declaration and label.
  fileprivate var durations:
    (renders: [RegionComponent: Duration], selectors: [[String?]: Duration])
  {
    var durations = (renders: [RegionComponent: Duration](), selectors: [[String?]: Duration]())
    for sample in self.samples {
      switch sample.part {
      case .render(let component): durations.renders[component, default: .zero] += sample.duration
      case .select(let label, let position, _, _, _):
        durations.selectors[[position, label], default: .zero] += sample.duration
      case .difference, .write: break
      }
    }
    return durations
  }
}

extension SelectorCause.Outcome {
  /// - Parameters:
  ///   - counts: The counts of one update of the selector.
  ///   - rows: The rows that it went through.
  ///   - didChange: Whether its output has changed.
  fileprivate init(_ counts: RenderCounts, _ rows: FrameTimes.RowCounts?, didChange: Bool) {
    self =
      if didChange {
        .changed
      } else if counts.outputRuns > 0 || rows.map({ $0.looked > 0 }) == true {
        .sameOutput
      } else if counts.dependencyRuns > 0 {
        .sameDependencies
      } else {
        .refused
      }
  }
}

extension WindowGroup {
  /// The effect of an action on a page.
  ///
  /// - Returns: `nil` if there is no such page, or if the action was refused or belongs to another
  ///   product.
  package func causes(
    _ url: String,
    of dispatch: ProductDispatch,
    environment: WindowEnvironment
  ) -> [RegionCause]? {
    guard let (product, route) = try? self.route(url) else { return nil }
    return product.causes(route, of: dispatch.dispatch, environment)
  }

  /// What a page consists of in a state of its product, as if it had just been opened.
  ///
  /// - Returns: `nil` if there is no such page, or if the state is that of another product.
  package func causes(
    _ url: String,
    in state: any Sendable,
    environment: WindowEnvironment
  ) -> [RegionCause]? {
    guard let (product, route) = try? self.route(url) else { return nil }
    return product.causes(route, in: state, environment)
  }
}
