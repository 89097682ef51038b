package import ImmutableUI
import Synchronization

/// What the windows at a place were sent.
package struct ShownPage: Sendable {
  /// What has become of a place.
  package enum Change: Sendable {
    /// Windows show this now.
    case begins(url: String, WindowEnvironment)
    case goesOn
    /// No window shows it any longer.
    case ends
  }

  /// The number of what it shows; never used again.
  package let place: Int
  /// That of the product's state which it shows.
  package let version: UInt64
  package let change: Change
  /// By name; none if it ends.
  package let regions: [String: Region]

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
  /// One for each call of ``follow(_:)``.
  private let followers = Mutex<[@Sendable (ShownPage) -> Void]>([])

  /// Calls a closure with everything from now on.
  func follow(_ body: @escaping @Sendable (ShownPage) -> Void) {
    self.followers.withLock { $0.append(body) }
  }

  /// A place that waits for a submission, or shows its failure, is left out: what it shows does not
  /// follow from the state.
  func note<State>(_ change: ShownPage.Change, of place: Place<State>, version: UInt64) {
    let followers = self.followers.withLock { $0 }
    guard followers.isEmpty == false, place.location.submission == nil else { return }
    // A place that ends has no regions any longer.
    let regions = zip(place.composition.regions, place.regions).map { named, region in
      let shown = ShownPage.Region(
        tag: named.rendered.tag,
        component: region.component.name,
        bytes: named.rendered.size
      )
      return (named.name, shown)
    }
    let page = ShownPage(
      place: place.id,
      version: version,
      change: change,
      regions: Dictionary(regions) { first, _ in first }
    )
    for follower in followers { follower(page) }
  }
}
