import Synchronization

/// The browsers with a simulated network.
///
/// A browser has one session for all its tabs, and keeps it when it reconnects. At most 64
/// simulations are kept, each for ten minutes; then the network is back to normal.
public final class Networks: Sendable {
  /// The direction of a transfer.
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

  /// By session. Bounded by the limit: the ones that end first are removed first.
  private let networks = Mutex<[Identifier: Network]>([:])

  /// Whether no network is simulated. One whose time is over may still count.
  public var isEmpty: Bool { self.networks.withLock { $0.isEmpty } }

  /// What happens to the next transfer; `nil` if the browser's network is not simulated.
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

  /// Whether a browser's network is simulated.
  public func isSlow(_ session: Identifier, now: ContinuousClock.Instant = .now) -> Bool {
    self.networks.withLock { networks in networks[session].map { now < $0.end } ?? false }
  }

  /// - Parameter conditions: `nil` for a normal network.
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

  /// The conditions of the browsers with a simulated network, by session.
  func all(now: ContinuousClock.Instant = .now) -> [Identifier: NetworkConditions] {
    self.networks.withLock { networks in
      networks.filter { $0.value.end > now }.mapValues(\.conditions)
    }
  }

  /// A name of a browser for developers, valid while this process runs. It does not reveal the
  /// browser's session, which is a secret.
  func label(of session: Identifier) -> String {
    // Keyed with a random number of this process.
    var hasher = Hasher()
    hasher.combine(session)
    let number = UInt64(bitPattern: Int64(hasher.finalize())) & 0xFFFF_FFFF_FFFF
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}

/// Decides what is lost. The decisions are the same for the same seed.
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
