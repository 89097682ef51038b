public import Foundation
public import ImmutableData
public import Logging

/// What a replica is told when it joins.
public struct ReplicaConfiguration<State: Sendable>: Sendable {
  /// Differs from that of every other process, also from that of the same server before a restart.
  public var node: String
  /// Whose actions the log has.
  public var product: String
  /// The number of the reducer. It must rise with each change of what actions lead to.
  public var reducer: Int
  /// How states are kept in snapshots; without it a replica reads the whole log when it joins.
  public var coding: SnapshotCoding<State>?
  /// A snapshot is kept after each so many entries.
  public var snapshotInterval: UInt64 = 10_000
  /// How many snapshots are kept.
  public var snapshots = 3
  /// Servers compare their states after each so many entries.
  public var markInterval: UInt64 = 64
  /// Entries that are younger than this are kept, so that a resend is recognized.
  public var resendAge: Duration = .seconds(3_600)
  /// Where effects run. Those of servers that have ended run here too, when nobody has extended their
  /// lease for so long; without lanes they are lost.
  public var lanes: EffectLanes?
  /// How long a server may be silent before others run its effects.
  public var lease: Duration = .seconds(3)
  /// How long the first server of a newer release waits for one of the older release to keep a snapshot.
  public var barrierLimit: Duration = .seconds(30)
  /// Where it says what happens to it.
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

/// How a state is kept in snapshots.
public struct SnapshotCoding<State: Sendable>: Sendable {
  public let encode: @Sendable (State) throws -> Data
  public let decode: @Sendable (Data) throws -> State
  /// Equal states must have equal digests on all machines. At most 256 bytes.
  public let digest: @Sendable (State) -> String
  /// The digest of a state from the digest of another and both, where that takes less.
  public let digestAfter: @Sendable (_ digest: String, _ old: State, _ new: State) -> String
  /// Names what differs between two states, for whoever runs the servers: no values, since they may be
  /// personal.
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
