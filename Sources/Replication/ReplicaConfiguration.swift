public import Foundation
public import ImmutableData
public import Logging

/// The configuration of a replica.
public struct ReplicaConfiguration<State: Sendable>: Sendable {
  /// Unique for every process, even across restarts of the same server.
  public var node: String
  /// The product whose actions are in the log.
  public var product: String
  /// The number of the reducer. Raise it whenever the result of an action changes.
  public var reducer: Int
  /// How states are encoded in snapshots. Without it a replica reads the whole log when it joins.
  public var coding: SnapshotCoding<State>?
  /// The number of entries between two snapshots.
  public var snapshotInterval: UInt64 = 10_000
  /// The number of snapshots that are kept.
  public var snapshots = 3
  /// The number of entries after which servers compare their states, however many there are.
  public var markInterval: UInt64 = 64
  /// Servers compare their states after other entries too, unless the last time was more recent.
  public var markPause: Duration = .milliseconds(20)
  /// Entries that are younger than this are kept, so that a resend is recognized.
  public var resendAge: Duration = .seconds(3_600)
  /// Where effects run. When the lease of another server has expired, its effects run here too;
  /// without lanes they are lost.
  public var lanes: EffectLanes?
  /// How long a server may be silent before others run its effects.
  public var lease: Duration = .seconds(3)
  /// How long the first server of a newer release waits for the older servers to finish their
  /// operations.
  public var patience: Duration = .seconds(5)
  /// How long the first server of a newer release waits for a server of the older release to save a
  /// snapshot.
  public var barrierLimit: Duration = .seconds(30)
  /// What ``patience`` is measured with while this server makes way for a newer release.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// A file in which the replica notes the entry that it is reducing. If that entry ends the process,
  /// the next process names it in its log before it reduces it.
  public var unfinishedEntry: URL?
  /// Receives messages about the replica.
  public var logger = Logger(label: "replica")

  public init(
    node: String = "node-\(UUID().uuidString)",
    product: String,
    reducer: Int,
    coding: SnapshotCoding<State>? = nil
  ) {
    self.node = node
    self.product = product
    self.reducer = reducer
    self.coding = coding
  }
}

/// How a state is encoded in snapshots.
public struct SnapshotCoding<State: Sendable>: Sendable {
  public let encode: @Sendable (State) throws -> Data
  public let decode: @Sendable (Data) throws -> State
  /// Equal states must have equal digests on all machines. At most 256 bytes.
  public let digest: @Sendable (State) -> String
  /// Computes the digest of a state from an older state and its digest, which can be cheaper.
  public let digestAfter: @Sendable (_ digest: String, _ old: State, _ new: State) -> String
  /// Names the parts in which two states differ, for operators. It contains no values, because they
  /// may be personal.
  public let differences: @Sendable (State, State) -> [String]

  public init(
    encode: @escaping @Sendable (State) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> State,
    digest: @escaping @Sendable (State) -> String,
    digestAfter: (@Sendable (_ digest: String, _ old: State, _ new: State) -> String)? = nil,
    differences: @escaping @Sendable (State, State) -> [String] = { _, _ in [] }
  ) {
    self.encode = encode
    self.decode = decode
    self.digest = digest
    self.digestAfter = digestAfter ?? { _, _, new in digest(new) }
    self.differences = differences
  }
}
