/// The exclusive right to do something for a limited time.
public struct Lease: Hashable, Sendable {
  public let name: String
  public let holder: String
  /// Higher than the number of every earlier lease.
  public let epoch: UInt64

  public init(name: String, holder: String, epoch: UInt64) {
    self.name = name
    self.holder = holder
    self.epoch = epoch
  }
}
