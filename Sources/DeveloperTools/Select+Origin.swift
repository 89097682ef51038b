import ImmutableData
import ImmutableUI

/// Selects which action put there what a region of a page shows.
@propertyWrapper struct SelectOrigin: Hashable, Sendable {
  @ImmutableUI.Selector<Store, Entry?, RegionOrigin?> var wrappedValue: RegionOrigin?

  init(of region: String, at url: String, upTo id: Int?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [region, url, id.map { "\($0)" } ?? ""],
      label: "SelectOrigin(of: \(region), at: \(url), upTo: \(id.map { "\($0)" } ?? "nil"))",
      dependencySelector: DeveloperState.selectEntry(of: url, upTo: id),
      outputSelector: DeveloperState.selectOrigin(of: region, at: url, upTo: id)
    )
  }
}
