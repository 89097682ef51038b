/// The right to do something alone, for a time.
public struct Lease: Hashable, Sendable {
  public let name: String
  public let holder: String
  /// Higher than that of every lease that was taken before.
  public let epoch: UInt64

  public init(name: String, holder: String, epoch: UInt64) {
    self.name = name
    self.holder = holder
    self.epoch = epoch
  }
}
