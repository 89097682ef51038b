public import ImmutableRuntime
import ImmutableUI
public import Logging
import Synchronization

/// Logs what windows are sent: each region of a page that has changed, with its component and size.
public enum RenderLogger {
  /// Starts to log at level debug. Call it before the first window joins.
  ///
  /// - Parameters:
  ///   - windows: The windows. Developer pages are left out.
  ///   - logger: Where it is logged. URLs hold what users search.
  public static func start(_ windows: WindowGroup, _ logger: Logger) {
    let places = ShownPlaces()
    windows.recordPages(except: DeveloperState.name) { page in
      let (url, regions) = places.changes(page)
      for (name, region) in regions {
        logger.debug(
          "render",
          metadata: [
            "version": "\(page.version)", "url": "\(url)", "region": "\(name)",
            "component": "\(region.component)", "bytes": "\(region.bytes)",
          ])
      }
    }
  }
}

/// What was logged of each place.
private final class ShownPlaces: Sendable {
  private struct Place {
    let url: String
    var tags: [String: Tag] = [:]
  }

  /// Bounded by the places that windows show.
  private let places = Mutex<[Int: Place]>([:])

  /// The URL of a page, and the regions that have changed, by name.
  func changes(_ page: ShownPage) -> (url: String, [(name: String, region: ShownPage.Region)]) {
    self.places.withLock { places in
      switch page.change {
      case .begins(let url, _): places[page.place] = Place(url: url)
      case .ends: places[page.place] = nil
      case .goesOn: break
      }
      guard let place = places[page.place] else { return ("", []) }
      places[page.place]?.tags = page.regions.mapValues(\.tag)
      let changed = page.regions.filter { place.tags[$0.key] != $0.value.tag }
      return (
        place.url, changed.sorted { $0.key < $1.key }.map { (name: $0.key, region: $0.value) }
      )
    }
  }
}
