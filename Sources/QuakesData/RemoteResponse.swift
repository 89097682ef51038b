import FeedScanning
import PlainText

/// A feed in the format of the USGS.
///
/// A plain `JSONDecoder` decodes all of it or nothing; ``FeedDecoder`` skips invalid features.
///
/// Source: the guide, chapter QuakesData, section RemoteStore.
package struct RemoteResponse: Hashable, Codable, Sendable {
  let features: [Feature]
  /// The number of features that could not be decoded and are missing.
  private(set) var skipped = 0
  /// What it was decoded from, so that the next response can be decoded by its difference from this
  /// one; `nil` if a plain `JSONDecoder` has decoded it.
  private(set) var bytes: FeedBytes?

  init(features: [Feature], skipped: Int, bytes: FeedBytes) {
    self.features = features
    self.skipped = skipped
    self.bytes = bytes
  }

  private enum CodingKeys: String, CodingKey {
    case features
  }

  /// Equality ignores the bytes.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.features == rhs.features && lhs.skipped == rhs.skipped
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.features)
    hasher.combine(self.skipped)
  }
}

extension RemoteResponse {
  /// A feature with its quake, which is validated once, even if many responses contain the feature.
  struct Feature: Hashable, Codable, Sendable {
    private let scanned: ScannedFeature
    /// `nil` if a value is missing or out of range. An unknown magnitude is 0.
    let quake: Quake?
    /// The other ids of the quake.
    let otherIDs: [Quake.ID]

    init(_ scanned: ScannedFeature) {
      self.scanned = scanned
      self.quake = scanned.quake
      self.otherIDs = scanned.otherIDs
    }

    init(from decoder: any Decoder) throws {
      self.init(try ScannedFeature(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
      try self.scanned.encode(to: encoder)
    }

    /// Whether the magnitude is known.
    var isMeasured: Bool { self.scanned.properties.mag != nil }
  }
}

// Validation of features.
extension ScannedFeature {
  private static let idBytes = 1...100
  /// Visible ASCII, which is the same in HTML, in a URL, and under all text comparisons.
  private static let idCharacters: ClosedRange<UInt8> = 0x21...0x7E
  private static let placeBytes = 1...500
  /// The maximum number of scalars in a character of a place, with its marks.
  private static let characterLength = 1...32

  private static func isID(_ text: some StringProtocol) -> Bool {
    Self.idBytes.contains(text.utf8.count) && text.utf8.allSatisfy(Self.idCharacters.contains)
  }

  /// Whether a place has only readable characters, and at least one visible one.
  private static func isPlain(_ place: String) -> Bool {
    // Most places are ASCII.
    guard place.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) == false else {
      return place.utf8.contains { $0 != 0x20 }
    }
    return place.showsSomething && place.hasOnlyPlainCharacters
      && place.allSatisfy { Self.characterLength.contains($0.unicodeScalars.count) }
  }

  /// - Returns: `nil` if a value is missing or out of range. An unknown magnitude is 0.
  fileprivate var quake: Quake? {
    guard Self.isID(self.id),
      Self.placeBytes.contains(self.properties.place.utf8.count),
      Self.isPlain(self.properties.place),
      self.geometry.coordinates.count >= 2
    else { return nil }
    let quake = Quake(
      quakeId: self.id,
      magnitude: self.properties.mag ?? 0,
      time: self.properties.time,
      updated: self.properties.updated,
      name: self.properties.place,
      longitude: self.geometry.coordinates[0],
      latitude: self.geometry.coordinates[1],
      depth: QuakeLimits.known(
        self.geometry.coordinates.dropFirst(2).first, in: QuakeLimits.depths),
      felt: QuakeLimits.known(
        self.properties.felt.flatMap(Int.init(exactly:)), in: QuakeLimits.felt)
    )
    return QuakeLimits.allow(quake) ? quake : nil
  }

  /// The maximum number of other ids. The USGS has one for each network that reports a quake.
  private static let otherIDLimit = 20

  /// The other ids of the quake.
  fileprivate var otherIDs: [Quake.ID] {
    // By bytes, because a feed has thousands of these lists, and finding characters is slow.
    (self.properties.ids ?? "").utf8
      .split(separator: UInt8(ascii: ","), maxSplits: Self.otherIDLimit)
      .prefix(Self.otherIDLimit)
      .map(Substring.init)
      .filter { Self.isID($0) && $0 != self.id }
      .map(String.init)
  }
}

extension RemoteResponse {
  /// The quakes, in the order of the feed. If several have the same id, the one that was updated
  /// last is used.
  ///
  /// - Complexity: O(n), n features.
  func feed() -> QuakesFeed {
    var quakes: [Quake] = []
    var indices: [Quake.ID: Int] = [:]
    var unmeasured: [Int: Quake] = [:]
    var otherIDs: [Quake.ID: [Quake.ID]] = [:]
    var skipped = self.skipped
    quakes.reserveCapacity(self.features.count)
    indices.reserveCapacity(self.features.count)
    for feature in self.features {
      guard let quake = feature.quake else {
        skipped += 1
        continue
      }
      guard feature.isMeasured else {
        skipped += 1
        unmeasured[quakes.count + unmeasured.count] = quake
        continue
      }
      if feature.otherIDs.isEmpty == false {
        otherIDs[quake.id, default: []] += feature.otherIDs
      }
      if let index = indices.updateValue(quakes.count, forKey: quake.id) {
        indices[quake.id] = index
        if quakes[index].updated < quake.updated { quakes[index] = quake }
      } else {
        quakes.append(quake)
      }
    }
    return QuakesFeed(
      quakes: quakes, unmeasured: unmeasured, skipped: skipped, otherIDs: otherIDs)
  }
}
