import Foundation

/// A fictional earthquake.
struct SampleQuake {
  let code: String
  /// In milliseconds since 1970.
  let time: Int
  let updated: Int
  /// In hundredths.
  let magnitude: Int
  let place: String
  /// In ten thousandths of a degree.
  let longitude: Int
  let latitude: Int
  /// In hundredths of a kilometer.
  let depth: Int
  /// The number of instruments that have noticed it.
  let stations: Int
  /// The largest angle without an instrument, in degrees.
  let gap: Int
  /// The number of people who have reported that they felt it; `nil` for none.
  let felt: Int?
}

extension SampleQuake {
  static let hour = 3_600_000
  private static let perHour = 9...19

  /// The earthquakes of an hour, newest first. They are the same on every call.
  ///
  /// - Parameter hour: The number of hours since 1970.
  static func all(inHour hour: Int, seed: UInt64) -> [Self] {
    var generator = SampleGenerator(seed: seed, hour: hour)
    let count = Self.perHour.lowerBound + generator.below(Self.perHour.count)
    return (0..<count).map { index in
      Self(code: Self.code(seed, hour, index), hour: hour, &generator)
    }.sorted { $0.time > $1.time }
  }

  private static func code(_ seed: UInt64, _ hour: Int, _ index: Int) -> String {
    let number = String(hour * 64 + index, radix: 36)
    return String(seed, radix: 36) + String(repeating: "0", count: max(0, 6 - number.count))
      + number
  }

  private init(code: String, hour: Int, _ generator: inout SampleGenerator) {
    self.code = code
    self.time = hour * Self.hour + generator.below(Self.hour)
    self.updated = self.time + 90_000 + generator.below(1_200_000)
    let zone = generator.zone()
    self.magnitude = generator.magnitude(atLeast: zone.leastMagnitude)
    let distance = min(2 + generator.exponential(mean: zone.leastMagnitude > 2 ? 60 : 12), 300)
    let bearing = generator.unit() * 2 * .pi
    self.place = Self.place(distance: distance, bearing: bearing, of: zone.place)
    let kilometersPerDegree = 111.195
    let north = distance * cos(bearing) / kilometersPerDegree
    let east = distance * sin(bearing) / kilometersPerDegree / cos(zone.latitude * .pi / 180)
    self.latitude = Int(((zone.latitude + north) * 10_000).rounded())
    let longitude = Int(((zone.longitude + east) * 10_000).rounded())
    self.longitude =
      longitude > 1_800_000
      ? longitude - 3_600_000 : longitude < -1_800_000 ? longitude + 3_600_000 : longitude
    self.depth = Int(min(generator.exponential(mean: zone.depth / 2), zone.depth * 1.2) * 100)
    self.stations = 5 + generator.below(60)
    self.gap = 30 + generator.below(220)
    self.felt = Self.felt(
      magnitude: self.magnitude,
      depth: self.depth,
      stations: self.stations,
      isAmongPeople: zone.leastMagnitude < 2
    )
  }

  /// One magnitude more is felt by ten times as many people, and deep or remote earthquakes by few.
  /// Regions with many instruments also have many people.
  private static func felt(
    magnitude: Int,
    depth: Int,
    stations: Int,
    isAmongPeople: Bool
  ) -> Int? {
    let strength = pow(10, Double(magnitude) / 100 - (isAmongPeople ? 4 : 5))
    let nearness = 30 / (30 + Double(depth) / 100)
    let count = Int(Double(stations) * strength * nearness)
    return count > 0 ? count : nil
  }

  private static let directions = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW",
    "NNW",
  ]

  /// For example “12km SSE of San José, Costa Rica”.
  private static func place(distance: Double, bearing: Double, of place: String) -> String {
    let sixteenths = Int((bearing / (2 * .pi) * 16).rounded()) % Self.directions.count
    return "\(Int(distance.rounded()))km \(Self.directions[sixteenths]) of \(place)"
  }
}

/// The random numbers for the earthquakes of one hour.
private struct SampleGenerator {
  private var state: UInt64

  init(seed: UInt64, hour: Int) {
    self.state = seed
    self.state = self.next() ^ UInt64(bitPattern: Int64(hour))
  }

  /// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (splitmix64).
  private mutating func next() -> UInt64 {
    self.state &+= 0x9e37_79b9_7f4a_7c15
    var z = self.state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 to less than 1.
  mutating func unit() -> Double {
    Double(self.next() >> 11) / Double(1 << 53)
  }

  mutating func below(_ end: Int) -> Int {
    Int(self.unit() * Double(end))
  }

  mutating func exponential(mean: Double) -> Double {
    -log(1 - self.unit()) * mean
  }

  mutating func zone() -> SampleZone {
    let point = self.unit() * (SampleZone.ends.last ?? 0)
    let index = SampleZone.ends.firstIndex { point < $0 } ?? 0
    return SampleZone.all[index]
  }

  /// A magnitude. Each magnitude occurs ten times as often as the next higher one.
  ///
  /// Source: the law of Gutenberg and Richter, with a b-value of 1.
  /// - Returns: The magnitude in hundredths, rounded to tenths for strong ones, as is usual.
  mutating func magnitude(atLeast least: Double) -> Int {
    let greatest = 8.6
    let magnitude = min(least - log10(1 - self.unit()), greatest)
    return magnitude < 2.5
      ? Int((magnitude * 100).rounded()) : Int((magnitude * 10).rounded()) * 10
  }
}
