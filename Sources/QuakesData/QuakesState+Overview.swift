public import Foundation
import HashTreeCollections

// Of many earthquakes at once: beyond the guide.
extension QuakesState {
  /// How many quakes there were in each of several intervals, and how strong they were.
  ///
  /// - Parameters:
  ///   - bounds: Where the intervals begin and end, in order; each ends where the next begins.
  ///   - magnitudes: Where classes of magnitudes begin, in order, as they are shown: to one decimal.
  /// - Returns: One for each interval.
  /// - Complexity: O(n), n quakes, if the intervals are about as long as each other.
  public static func selectQuakesTallies(
    bounds: [Date],
    magnitudes: [Double]
  ) -> @Sendable (Self) -> [QuakesTally] {
    { state in
      let empty = QuakesTally(classes: magnitudes.count + 1)
      guard let first = bounds.first, let last = bounds.last, bounds.count > 1 else { return [] }
      var tallies = Array(repeating: empty, count: bounds.count - 1)
      let length = last.timeIntervalSince(first) / Double(tallies.count)
      for quake in state.quakes.data.values where first <= quake.time && quake.time < last {
        var index = min(Int(quake.time.timeIntervalSince(first) / length), tallies.count - 1)
        while quake.time < bounds[index] { index -= 1 }
        while bounds[index + 1] <= quake.time { index += 1 }
        tallies[index].add(quake, magnitudes)
      }
      return tallies
    }
  }

  /// When the nearest quakes before and after an interval happened.
  ///
  /// - Parameters:
  ///   - searchText: Their name contains it, whatever its case and accents; empty: any name does.
  ///   - minimumMagnitude: The least that they have, as it is shown: to one decimal.
  ///   - interval: Where to look from.
  /// - Complexity: O(n), n quakes; only names that are nearer than what was found are searched.
  public static func selectNearestQuakes(
    searchText: String,
    minimumMagnitude: Double = -.infinity,
    to interval: Range<Date>
  ) -> @Sendable (Self) -> NearestQuakes {
    let search = QuakeSearch(
      text: searchText,
      interval: interval,
      minimumMagnitude: minimumMagnitude
    )
    return { state in
      var nearest = NearestQuakes()
      for quake in state.quakes.data.values {
        if quake.time < interval.lowerBound, quake.time > nearest.before ?? .distantPast,
          search.findsAtAnyTime(quake)
        {
          nearest.before = quake.time
        } else if quake.time >= interval.upperBound, quake.time < nearest.after ?? .distantFuture,
          search.findsAtAnyTime(quake)
        {
          nearest.after = quake.time
        }
      }
      return nearest
    }
  }

  /// The regions in which the quakes of an interval happened: the ends of their names.
  ///
  /// ```swift
  /// select(state)  // ["Alaska", "CA", "Puerto Rico", …]
  /// ```
  ///
  /// - Parameters:
  ///   - searchInterval: When they happened; its upper bound is not in it.
  ///   - minimumMagnitude: The least that they have, as it is shown: to one decimal.
  ///   - limit: The most regions.
  /// - Returns: The commonest first; equally common ones by their name.
  /// - Complexity: O(n + k log k), n quakes, k regions.
  public static func selectQuakesRegions(
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity,
    limit: Int
  ) -> @Sendable (Self) -> [String] {
    let search = QuakeSearch(
      text: "",
      interval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    return { state in
      var counts: [String: Int] = [:]
      for quake in state.quakes.data.values where search.finds(quake) {
        counts[quake.region, default: 0] += 1
      }
      return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map(\.key)
    }
  }
}

/// How many quakes there were, and how strong.
public struct QuakesTally: Hashable, Sendable {
  /// By class of magnitude, the weakest first.
  public private(set) var counts: [Int]
  /// The magnitude of the strongest, if there is one.
  public private(set) var largest: Double?

  init(classes: Int) {
    self.counts = Array(repeating: 0, count: classes)
  }

  public var count: Int { self.counts.reduce(0, +) }

  mutating func add(_ quake: Quake, _ magnitudes: [Double]) {
    let magnitude = quake.roundedMagnitude
    self.counts[magnitudes.prefix { $0 <= magnitude }.count] += 1
    self.largest = max(self.largest ?? magnitude, magnitude)
  }
}

/// When quakes happened that are nearest to something.
public struct NearestQuakes: Hashable, Sendable {
  public internal(set) var before: Date?
  public internal(set) var after: Date?
}

extension Quake {
  /// Where it happened, without how far from which town: the end of the name.
  var region: String {
    guard let comma = self.name.lastIndex(of: ",") else { return self.name }
    let region = self.name[comma...].dropFirst().drop { $0 == " " }
    return region.isEmpty ? self.name : String(region)
  }
}
