public import Foundation

/// Feeds of fictional earthquakes, in the format of the USGS.
///
/// An earthquake is the same in every feed that contains it. A feed with a later anchor also
/// contains newer ones, as if time had passed. There are about 10,000 per month, and some in every
/// hour.
///
/// ```swift
/// let bytes = SampleFeed(anchor: .now).data(range: .allMonth)
/// ```
public struct SampleFeed: Hashable, Sendable {
  public static let defaultSeed: UInt64 = 1906
  /// The network code, with which the ids begin. The USGS does not use it.
  public static let network = "sm"

  /// The time of the feed, which contains the earthquakes that were noticed until then.
  public let anchor: Date
  /// Each seed generates different earthquakes.
  public let seed: UInt64

  public init(anchor: Date, seed: UInt64 = Self.defaultSeed) {
    self.anchor = anchor
    self.seed = seed
  }

  /// The feed, the newest earthquake first. The same anchor and seed produce the same bytes.
  ///
  /// - Complexity: O(n), n earthquakes of the range.
  public func data(range: Range) -> Data {
    let end = self.milliseconds
    let quakes = self.quakes(from: end - range.hours * SampleQuake.hour, to: end)
    var writer = SampleFeedWriter(generated: end)
    writer.write(quakes, range)
    return writer.data
  }

  /// The anchor, limited to the years that are valid in feeds.
  private var milliseconds: Int {
    let first = Date(timeIntervalSince1970: 0)
    let last = Date(timeIntervalSince1970: 253_402_300_799)
    return Int(min(max(self.anchor, first), last).timeIntervalSince1970 * 1_000)
  }

  private func quakes(from start: Int, to end: Int) -> [SampleQuake] {
    var quakes: [SampleQuake] = []
    for hour in (max(start, 0) / SampleQuake.hour...end / SampleQuake.hour).reversed() {
      for quake in SampleQuake.all(inHour: hour, seed: self.seed)
      where quake.time >= start && quake.updated <= end {
        quakes.append(quake)
      }
    }
    return quakes
  }
}

extension SampleFeed {
  /// How far back a feed goes. The USGS has a file for each range.
  public enum Range: Hashable, Sendable {
    case allHour
    case allDay
    case allWeek
    case allMonth

    /// The name of the file at the USGS.
    ///
    /// Source: https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
    package var fileName: String {
      switch self {
      case .allHour: "all_hour.geojson"
      case .allDay: "all_day.geojson"
      case .allWeek: "all_week.geojson"
      case .allMonth: "all_month.geojson"
      }
    }

    fileprivate var hours: Int {
      switch self {
      case .allHour: 1
      case .allDay: 24
      case .allWeek: 7 * 24
      case .allMonth: 30 * 24
      }
    }
  }
}
