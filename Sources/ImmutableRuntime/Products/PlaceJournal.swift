package import ImmutableUI

/// The content that the windows at a place were sent.
package struct ShownPage: Sendable {
  /// What happened to a place.
  package enum Change: Sendable {
    /// Windows show this now.
    case begins(WindowEnvironment)
    case goesOn
    /// No window shows it any more.
    case ends
  }

  /// The id of the place; never reused.
  package let place: Int
  /// The version of the product's state that it shows.
  package let version: UInt64
  /// The path and query of what it shows.
  package let url: String
  package let change: Change
  /// The regions that have changed, by name, with `nil` for regions that are gone. Empty if the
  /// place ends.
  package let regions: [String: Region?]

  package struct Region: Sendable {
    package let rendered: Rendered
    /// The type of its component.
    package let component: String
    /// The selectors whose outputs led to it: their labels or, without one, where they are declared.
    package let selectors: [String]
    /// What the place showed before.
    package let old: Rendered?
  }

  /// The same without its regions.
  package var withoutContent: Self {
    Self(
      place: self.place, version: self.version, url: self.url, change: self.change, regions: [:])
  }
}

/// Reports what windows are sent, to recorders and logs.
final class PlaceJournal: Sendable {
  let followers = Followers<ShownPage>()

  /// A place that waits for a submission, or shows its failure, is left out, because its content
  /// does not follow from the state alone.
  ///
  /// - Parameter old: What the place showed before.
  func note<State>(
    _ change: ShownPage.Change,
    of place: Place<State>,
    from old: Composition? = nil,
    version: UInt64
  ) {
    self.followers.tell {
      guard place.location.submissions.isEmpty else { return nil }
      var regions: [String: ShownPage.Region?] = [:]
      // A place that ends no longer has regions.
      for (named, region) in zip(place.composition.regions, place.regions)
      where old?.rendered(named.name)?.tag != named.rendered.tag {
        let older = old?.rendered(named.name)
        regions[named.name] = ShownPage.Region(
          rendered: named.rendered,
          component: region.component.name,
          selectors: older == nil ? region.reads.map(\.name) : region.causes.map(\.name),
          old: older
        )
      }
      for gone in old?.regions ?? [] where place.composition.rendered(gone.name) == nil {
        regions.updateValue(nil, forKey: gone.name)
      }
      return ShownPage(
        place: place.id,
        version: version,
        url: place.location.url,
        change: change,
        regions: regions
      )
    }
  }
}
