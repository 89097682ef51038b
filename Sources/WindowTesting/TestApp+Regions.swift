import ImmutableRuntime
public import ImmutableUI

extension TestApp {
  /// What a page consists of in a state, without a window: nothing is dispatched as it appears.
  ///
  /// - Parameters:
  ///   - url: Path and query.
  ///   - state: That of the page's product, or of the store that its store is a scope of.
  ///   - environment: That of the window.
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
