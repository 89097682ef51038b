import ImmutableData
import ImmutableUI

/// Selects the action that produced the content of a region of a page.
@propertyWrapper struct SelectOrigin: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, DeveloperState.Moment, RegionOrigin?>
  var wrappedValue: RegionOrigin?

  init(of region: String, at url: String, upTo id: Int?, in environment: PageTime) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [region, url, id.map { "\($0)" } ?? "", environment.description],
      dependencySelector: DeveloperState.selectMoment(of: url, upTo: id),
      outputSelector: { $0.origin(of: region, at: url, upTo: id, in: environment) }
    )
  }
}
