import ImmutableData
package import ImmutableUI
import Synchronization

// Pages in other states, for developers.
extension Product {
  /// Renders pages in another state. It continues from the state that somebody looked at just before,
  /// so it costs what the two states do not share.
  ///
  /// - Parameters:
  ///   - state: A state of the product, or of the store that its store is a scope of.
  ///   - body: Must not keep the renderer.
  /// - Returns: `nil` if the state belongs to another product, or if templates do not compile.
  nonisolated func render<Result: Sendable>(
    in state: any Sendable,
    _ body: @Sendable (StillRenderer<State>) -> Result
  ) -> Result? {
    guard let state = state as? State ?? self.source.part(of: state) else { return nil }
    let result = self.pastRenderer.withLockIfAvailable { kept -> Result? in
      guard let templates = try? self.templates.get() else { return nil }
      let renderer =
        kept
        ?? StillRenderer(
          in: state,
          templates: templates,
          logger: self.configuration.logger,
          limit: self.configuration.unusedRenderBytes
        )
      kept = renderer.isFull ? nil : renderer
      renderer.move(to: state)
      return body(renderer)
    }
    if let result { return result }
    // Somebody else is looking at the past at this moment.
    return self.renderer(in: state).map(body)
  }

  /// The content of a region of a page in another state; `nil` if the page does not have it.
  nonisolated func tag(
    of region: String,
    _ route: Route,
    in state: any Sendable,
    _ environment: WindowEnvironment
  ) -> Tag? {
    let tag = self.render(in: state) { renderer in
      self.compose(route, by: renderer, environment).composition.rendered(region)?.tag
    }
    return tag ?? nil
  }

  /// Discards what was rendered in other states if nobody has looked at it in the last 10 s.
  nonisolated func expirePast(_ now: ContinuousClock.Instant) {
    _ = self.pastRenderer.withLockIfAvailable { kept in
      if kept?.expire(now) == true { kept = nil }
    }
  }

  /// Discards it because the templates have changed.
  nonisolated func discardPast() {
    self.pastRenderer.withLock { $0 = nil }
  }
}

extension WindowGroup {
  /// The content of a region of a page as it would be in another state of the page's product.
  ///
  /// - Returns: `nil` if there is no such page or region, or if the state is that of another product.
  package func tag(
    of region: String,
    at url: String,
    in state: any Sendable,
    environment: WindowEnvironment
  ) -> Tag? {
    guard let (product, route) = try? self.route(url) else { return nil }
    return product.tag(of: region, route, in: state, environment)
  }
}
