public import Foundation
import HashTreeCollections
public import ImmutableData

// Of many earthquakes at once: beyond the guide.
extension QuakesState {
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
}

/// How many quakes there were in each of several intervals, and how strong they were.
public struct QuakesTallies: Derivation {
  private let bounds: [Date]
  public private(set) var output: [QuakesTally]

  /// - Parameters:
  ///   - bounds: Where the intervals begin and end, in order; each ends where the next begins.
  ///   - magnitudes: Where classes of magnitudes begin, in order, as they are shown: to one decimal.
  public init(bounds: [Date], magnitudes: [Double]) {
    self.bounds = bounds
    self.output = Array(repeating: QuakesTally(magnitudes), count: max(bounds.count - 1, 0))
  }

  /// - Complexity: O(1) if the intervals are about as long as each other.
  public mutating func insert(_ quake: Quake) {
    if let index = self.interval(of: quake) { self.output[index].add(quake, 1) }
  }

  public mutating func remove(_ quake: Quake) {
    if let index = self.interval(of: quake) { self.output[index].add(quake, -1) }
  }

  private func interval(of quake: Quake) -> Int? {
    guard let first = self.bounds.first, let last = self.bounds.last, first <= quake.time,
      quake.time < last
    else { return nil }
    let length = last.timeIntervalSince(first) / Double(self.output.count)
    var index = min(Int(quake.time.timeIntervalSince(first) / length), self.output.count - 1)
    while quake.time < self.bounds[index] { index -= 1 }
    while self.bounds[index + 1] <= quake.time { index += 1 }
    return index
  }
}

/// How many quakes there were, and how strong.
public struct QuakesTally: Hashable, Sendable {
  /// By class of magnitude, the weakest first.
  public private(set) var counts: [Int]
  private let magnitudes: [Double]
  /// By magnitude, as it is shown: so that the strongest is known when another has gone.
  private var countsByMagnitude: [Double: Int] = [:]

  init(_ magnitudes: [Double]) {
    self.magnitudes = magnitudes
    self.counts = Array(repeating: 0, count: magnitudes.count + 1)
  }

  public var count: Int { self.counts.reduce(0, +) }

  /// The magnitude of the strongest, if there is one.
  public var largest: Double? { self.countsByMagnitude.keys.max() }

  fileprivate mutating func add(_ quake: Quake, _ count: Int) {
    let magnitude = quake.roundedMagnitude
    self.counts[self.magnitudes.prefix { $0 <= magnitude }.count] += count
    let sum = self.countsByMagnitude[magnitude, default: 0] + count
    self.countsByMagnitude[magnitude] = sum > 0 ? sum : nil
  }
}

/// The regions in which quakes happened: the ends of their names. The commonest come first, equally
/// common ones by their name, for example `["Alaska", "CA", "Puerto Rico"]`.
public struct QuakesRegions: Derivation {
  private let search: QuakeSearch
  private let limit: Int
  private var counts: [String: Int] = [:]

  /// - Parameters:
  ///   - searchInterval: When the quakes happened; its upper bound is not in it.
  ///   - minimumMagnitude: The least that they have, as it is shown: to one decimal.
  ///   - limit: The most regions.
  public init(
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity,
    limit: Int
  ) {
    self.search = QuakeSearch(
      text: "",
      interval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    self.limit = limit
  }

  /// - Complexity: O(k log k), k regions.
  public var output: [String] {
    self.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(self.limit).map(\.key)
  }

  public mutating func insert(_ quake: Quake) { self.add(quake, 1) }
  public mutating func remove(_ quake: Quake) { self.add(quake, -1) }

  private mutating func add(_ quake: Quake, _ count: Int) {
    guard self.search.finds(quake) else { return }
    let sum = self.counts[quake.region, default: 0] + count
    self.counts[quake.region] = sum > 0 ? sum : nil
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
