import ImmutableRuntime
public import ImmutableUI

extension TestApp {
  /// Renders the regions of a page for a state, without a window, so nothing is dispatched.
  ///
  /// - Parameters:
  ///   - url: Path and query.
  ///   - state: The state of the page's product, or of the store that contains it as a scope.
  ///   - environment: The environment of the window.
  /// - Returns: The HTML of each region, without the regions in it; none if there is no such page.
  /// - Complexity: O(n), n bytes.
  public func regions(
    of url: String,
    in state: any Sendable,
    environment: WindowEnvironment
  ) -> [String: String] {
    let regions = self.windows.regions(url, in: state, environment: environment) ?? []
    return Dictionary(regions.map { ($0.name, $0.html) }) { first, _ in first }
  }
}
