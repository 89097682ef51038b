package import ImmutableUI

/// What the windows at a place were sent.
package struct ShownPage: Sendable {
  /// What has become of a place.
  package enum Change: Sendable {
    /// Windows show this now.
    case begins(WindowEnvironment)
    case goesOn
    /// No window shows it any longer.
    case ends
  }

  /// The number of what it shows; never used again.
  package let place: Int
  /// That of the product's state which it shows.
  package let version: UInt64
  /// The path and query of what it shows.
  package let url: String
  package let change: Change
  /// Those that have changed, by name, and `nil` for those that are gone; none if it ends.
  package let regions: [String: Region?]

  package struct Region: Sendable {
    package let tag: Tag
    /// The type of its component.
    package let component: String
    /// The size of its HTML.
    package let bytes: Int
  }
}

/// Tells recorders and logs what windows are sent.
final class PlaceJournal: Sendable {
  let followers = Followers<ShownPage>()

  /// A place that waits for a submission, or shows its failure, is left out: what it shows does not
  /// follow from the state.
  ///
  /// - Parameter old: What the place showed before.
  func note<State>(
    _ change: ShownPage.Change,
    of place: Place<State>,
    from old: Composition? = nil,
    version: UInt64
  ) {
    self.followers.tell {
      guard place.location.submission == nil else { return nil }
      var regions: [String: ShownPage.Region?] = [:]
      // A place that ends has no regions any longer.
      for (named, region) in zip(place.composition.regions, place.regions)
      where old?.rendered(named.name)?.tag != named.rendered.tag {
        regions[named.name] = ShownPage.Region(
          tag: named.rendered.tag,
          component: region.component.name,
          bytes: named.rendered.size
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
