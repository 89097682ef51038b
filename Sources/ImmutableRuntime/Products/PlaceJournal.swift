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
  /// The tag of each region, by name; none if it ends.
  package let tags: [String: Tag]
}

/// Tells a recorder what windows are sent.
final class PlaceJournal: Sendable {
  private let body = Mutex<(@Sendable (ShownPage) -> Void)?>(nil)

  /// Calls a closure with everything from now on.
  func follow(_ body: @escaping @Sendable (ShownPage) -> Void) {
    self.body.withLock { $0 = body }
  }

  /// A place that waits for a submission, or shows its failure, is left out: what it shows does not
  /// follow from the state.
  func note<State>(_ change: ShownPage.Change, of place: Place<State>, version: UInt64) {
    guard let body = self.body.withLock({ $0 }), place.location.submission == nil else { return }
    let regions =
      if case .ends = change { [Composition.Region]() } else { place.composition.regions }
    let tags = regions.map { ($0.name, $0.rendered.tag) }
    body(
      ShownPage(
        place: place.id,
        version: version,
        change: change,
        tags: Dictionary(tags) { first, _ in first }
      )
    )
  }
}
