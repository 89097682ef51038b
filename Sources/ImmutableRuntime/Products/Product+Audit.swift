import ImmutableData
package import ImmutableUI

// Audits.
extension Product {
  /// Checks that the reducer leads to the same state when it reduces an action again. If it reads a
  /// clock or a random source, it does not.
  ///
  /// - Parameter version: The version of the actions that were checked already.
  /// - Returns: What is wrong.
  /// - Complexity: That of the reducer and of a comparison of two states, for each action since then.
  func reducerFinding(in snapshot: Snapshot, since version: UInt64) -> String? {
    guard self.source.isRoot, snapshot.isPast == false,
      let actions = snapshot.actions(since: version)
    else { return nil }
    let newStates = actions.dropFirst().map { $0.oldState } + [snapshot.state]
    for (logged, newState) in zip(actions, newStates) {
      let again = try? self.source.state(after: logged.action, in: logged.oldState)
      guard let part = StateEquality.firstDifference(newState, again ?? logged.oldState) else {
        continue
      }
      return "the reducer of \(self.name) reads more than the state and the action: reduced again, "
        + "\(ActionOrigin.name(of: logged.action)) gives "
        + (part.isEmpty ? "another state" : "another \u{201C}\(part)\u{201D}")
        + ". Put dates, ids and random numbers into the action"
    }
    return nil
  }
}

// Selectors with equal ids share a memo. One that captures something which is not in its id is found
// when two of them meet in one state.
extension Product {
  /// Renders visited pages together, each also with other local state: without what its path does
  /// not require, and with other values of what it does.
  nonisolated func auditSelectors(of visits: [(route: Route, environment: WindowEnvironment)]) {
    guard let templates = try? self.templates.get() else { return }
    // Local state that nobody has may well be a mistake elsewhere.
    let counters = FrameCounters(isAuditing: true, keepsMistakes: false)
    let renderer = StillRenderer(
      in: self.source.snapshot().state, templates: templates, counters: counters)
    for (route, environment) in visits {
      let page = self.page(at: route.page)
      let required = route.query.items.filter { route.page.required.contains($0.name) }
      let others = required.map { QueryItem(name: $0.name, value: "\($0.value)0") }
      for query in [route.query, Query(required), Query(others)] where page.reads(query) {
        let location = page.location(query, environment).normalized(in: renderer.state)
        _ = renderer.regions(of: location.root)
      }
    }
    for finding in counters.takeFindings() { self.context.counters.audit { finding } }
  }
}

/// What a window has shown.
package struct WindowVisit: Hashable, Sendable {
  let url: String
  let environment: WindowEnvironment

  package init(url: String, environment: WindowEnvironment) {
    self.url = url
    self.environment = environment
  }
}

extension WindowGroup {
  /// Finds selectors that capture something which is not in their id, and adds them to the findings
  /// (``takeAuditFindings()``).
  ///
  /// - Parameter visits: What windows have shown.
  /// - Complexity: That of rendering each of these pages three times.
  package func auditSelectors(of visits: Set<WindowVisit>) {
    let routes = visits.sorted { $0.url < $1.url }.compactMap { visit in
      (try? self.route(visit.url)).map { product, route in
        (product, (route: route, environment: visit.environment))
      }
    }
    for product in self.allProducts {
      product.auditSelectors(of: routes.filter { $0.0 === product }.map(\.1))
    }
  }
}

/// Finds the parts in which two states differ, whether or not their types are `Equatable`.
private enum StateEquality {
  /// - Returns: A path such as `notes.2.date`; `nil` if nothing differs that can be compared.
  /// - Complexity: O(n), n parts.
  static func firstDifference(_ one: Any, _ two: Any) -> String? {
    if let equatable = one as? any Equatable, self.areEqual(equatable, two) { return nil }
    let (first, second) = (Mirror(reflecting: one), Mirror(reflecting: two))
    guard self.hasParts(one, first) else {
      // What does not equal itself, such as a number that is none, proves nothing.
      guard let equatable = one as? any Equatable, self.areEqual(equatable, one) else { return nil }
      return ""
    }
    guard first.children.count == second.children.count else { return "" }
    for (index, (old, new)) in zip(first.children, second.children).enumerated() {
      guard old.label == new.label else { return "" }
      guard let rest = self.firstDifference(old.value, new.value) else { continue }
      let label = old.label ?? "\(index)"
      return rest.isEmpty ? label : "\(label).\(rest)"
    }
    return nil
  }

  /// Whether a difference is in one of the children. Those of a set have no order, objects may refer
  /// to each other, and of a date or an id only the whole means something.
  private static func hasParts(_ value: Any, _ mirror: Mirror) -> Bool {
    switch mirror.displayStyle {
    case .set, .dictionary, .class: false
    case .struct: value is any CustomStringConvertible == false && mirror.children.isEmpty == false
    default: mirror.children.isEmpty == false
    }
  }

  private static func areEqual<Value: Equatable>(_ one: Value, _ two: Any) -> Bool {
    two as? Value == one
  }
}
