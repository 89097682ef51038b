import Synchronization

/// The browsers whose network developers have made worse.
///
/// A browser has one session, whatever its tabs do, and keeps it when it connects again. At most 64 are
/// kept, and each for ten minutes: then its network is as it is.
public final class Networks: Sendable {
  /// Which way something goes.
  public enum Direction: Sendable {
    case toBrowser
    case toServer
  }

  private struct Network {
    let conditions: NetworkConditions
    let end: ContinuousClock.Instant
    var toBrowser: LossGenerator
    var toServer: LossGenerator
  }

  static let limit = 64
  package static let duration = Duration.seconds(600)

  /// By session. Bounded by the limit: those that end first go first.
  private let networks = Mutex<[Identifier: Network]>([:])

  /// What becomes of what is sent next; `nil` if the browser's network is as it is.
  ///
  /// - Complexity: O(1).
  public func fate(
    of session: Identifier,
    _ direction: Direction,
    now: ContinuousClock.Instant = .now
  ) -> NetworkFate? {
    self.networks.withLock { networks in
      guard var network = networks[session] else { return nil }
      guard now < network.end else {
        networks[session] = nil
        return nil
      }
      let conditions = network.conditions
      let isLost =
        switch direction {
        case .toBrowser: network.toBrowser.loses(conditions.loss)
        case .toServer: network.toServer.loses(conditions.loss)
        }
      networks[session] = network
      return NetworkFate(
        latency: .milliseconds(conditions.latency), isLost: isLost || conditions.isOffline)
    }
  }

  /// Whether a browser's network is worse than it is.
  public func isSlow(_ session: Identifier, now: ContinuousClock.Instant = .now) -> Bool {
    self.networks.withLock { networks in networks[session].map { now < $0.end } ?? false }
  }

  /// - Parameter conditions: `nil`: as it is.
  func set(
    _ conditions: NetworkConditions?,
    of session: Identifier,
    now: ContinuousClock.Instant = .now
  ) {
    self.networks.withLock { networks in
      networks = networks.filter { $0.value.end > now }
      networks[session] = conditions.map { conditions in
        Network(
          conditions: conditions,
          end: now + Self.duration,
          toBrowser: LossGenerator(seed: conditions.seed),
          toServer: LossGenerator(seed: ~conditions.seed)
        )
      }
      guard networks.count > Self.limit,
        let first = networks.min(by: { $0.value.end < $1.value.end })
      else { return }
      networks[first.key] = nil
    }
  }

  /// The conditions of the browsers that have some, by session.
  func all(now: ContinuousClock.Instant = .now) -> [Identifier: NetworkConditions] {
    self.networks.withLock { networks in
      networks.filter { $0.value.end > now }.mapValues(\.conditions)
    }
  }

  /// Names a browser for developers, for as long as this process lives. Nobody can tell its session from
  /// it, which is a secret of the browser's.
  func label(of session: Identifier) -> String {
    // Keyed with a number that the process has drawn.
    var hasher = Hasher()
    hasher.combine(session)
    let number = UInt64(bitPattern: Int64(hasher.finalize())) & 0xFFFF_FFFF_FFFF
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}

/// Says what is lost, the same for the same seed.
///
/// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014), SplitMix64.
private struct LossGenerator {
  private var state: UInt64

  init(seed: Int) {
    self.state = UInt64(bitPattern: Int64(seed))
  }

  mutating func loses(_ percent: Int) -> Bool {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var bits = self.state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return (bits ^ (bits >> 31)) % 100 < UInt64(max(0, percent))
  }
}
