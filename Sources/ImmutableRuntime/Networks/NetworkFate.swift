/// What happens to one event, request or answer.
public struct NetworkFate: Hashable, Sendable {
  /// The added delay.
  public let latency: Duration
  /// Whether it never arrives. Then its connection breaks, because TCP resends lost packets until
  /// it gives up the connection.
  public let isLost: Bool

  package init(latency: Duration, isLost: Bool) {
    self.latency = latency
    self.isLost = isLost
  }
}
