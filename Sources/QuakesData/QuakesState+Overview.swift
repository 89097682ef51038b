public import Foundation
import HashTreeCollections
public import ImmutableData

// Overviews of many earthquakes. Beyond the guide.
extension QuakesState {
  /// The times of the nearest quakes that a search would find before and after its interval.
  ///
  /// - Complexity: O(n), n quakes; only names of quakes nearer than those found so far are
  ///   searched.
  public static func selectNearestQuakes(
    to search: QuakeSearch
  ) -> @Sendable (Self) -> NearestQuakes {
    let interval = search.interval
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

/// The number and strength of the quakes in each of several intervals.
public struct QuakesTallies: Derivation {
  private let bounds: [Date]
  public private(set) var output: [QuakesTally]

  /// - Parameters:
  ///   - bounds: The bounds of the intervals, in order; each interval ends where the next begins.
  ///   - magnitudes: The lower bounds of the magnitude classes, in order, as they are shown:
  ///     rounded to one decimal.
  public init(bounds: [Date], magnitudes: [Double]) {
    self.bounds = bounds
    self.output = Array(repeating: QuakesTally(magnitudes), count: max(bounds.count - 1, 0))
  }

  /// - Complexity: O(1) if the intervals have about the same length.
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

/// The number of quakes and their strength.
public struct QuakesTally: Hashable, Sendable {
  /// By class of magnitude, the weakest first.
  public private(set) var counts: [Int]
  private let magnitudes: [Double]
  /// By magnitude as it is shown, so that the strongest is still known after another was removed.
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

/// The regions in which quakes happened, which are the ends of their names. The most common come
/// first, and equally common ones by name, for example `["Alaska", "CA", "Puerto Rico"]`.
public struct QuakesRegions: Derivation {
  private let limit: Int
  private var counts: RowCounts<Quake, String>

  /// - Parameters:
  ///   - search: Finds the quakes.
  ///   - limit: The maximum number of regions.
  public init(_ search: QuakeSearch, limit: Int) {
    self.limit = limit
    self.counts = RowCounts { search.finds($0) ? $0.region : nil }
  }

  /// - Complexity: O(k log k), k regions.
  public var output: [String] {
    self.counts.output.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(self.limit)
      .map(\.key)
  }

  public mutating func insert(_ quake: Quake) { self.counts.insert(quake) }
  public mutating func remove(_ quake: Quake) { self.counts.remove(quake) }
}

extension RowCount<Quake> {
  /// The number of fictional quakes that a search finds.
  public static func samples(_ search: QuakeSearch) -> Self {
    Self { $0.isSample && search.finds($0) }
  }
}

/// The times of the quakes that are nearest to an interval.
public struct NearestQuakes: Hashable, Sendable {
  public internal(set) var before: Date?
  public internal(set) var after: Date?
}

extension Quake {
  /// The region, without the distance from a town: the end of the name.
  var region: String {
    guard let comma = self.name.lastIndex(of: ",") else { return self.name }
    let region = self.name[comma...].dropFirst().drop { $0 == " " }
    return region.isEmpty ? self.name : String(region)
  }
}
