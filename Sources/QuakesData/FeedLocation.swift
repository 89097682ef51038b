import Foundation
public import SampleFeeds
import Services

/// The location of the four feeds: a server, a folder, or generated sample data.
///
/// ```swift
/// FeedLocation("https://example.com/feeds")  // https://example.com/feeds/all_hour.geojson, …
/// FeedLocation("/srv/feeds")  // /srv/feeds/all_hour.geojson, …
/// FeedLocation("sample")
/// ```
public struct FeedLocation: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case address(URL?)
    case folder(URL)
    case sample(seed: UInt64)
  }

  let place: Place

  private init(_ place: Place) {
    self.place = place
  }

  /// The summaries of all earthquakes by the U.S. Geological Survey.
  public static let usgs = Self(
    .address(URL(string: "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary"))
  )

  /// The ``SampleFeed`` up to the time of the request. It needs no network.
  ///
  /// - Parameter seed: Each seed generates different earthquakes.
  public static func sample(seed: UInt64 = SampleFeed.defaultSeed) -> Self {
    Self(.sample(seed: seed))
  }

  /// - Parameter text: An HTTP or `file:` URL, the path of a folder, or the word `sample`.
  /// - Returns: `nil` if it is none of them.
  public init?(_ text: String) {
    guard text != "sample" else {
      self = .sample()
      return
    }
    guard let scheme = Self.scheme(of: text) else {
      guard text.isEmpty == false else { return nil }
      self.init(.folder(URL(filePath: text, directoryHint: .isDirectory)))
      return
    }
    guard let url = URL(string: text) else { return nil }
    switch scheme {
    case "http", "https":
      guard url.isHTTP else { return nil }
      self.init(.address(url))
    case "file":
      guard url.path.isEmpty == false else { return nil }
      self.init(.folder(URL(filePath: url.path, directoryHint: .isDirectory)))
    default:
      return nil
    }
  }

  /// The part before `:/`, in lower case. A path may thus contain a colon.
  private static func scheme(of text: String) -> String? {
    text.firstMatch(of: /^([A-Za-z][A-Za-z0-9+.\-]*):\//).map { $0.output.1.lowercased() }
  }
}
