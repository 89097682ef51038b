/// What becomes of one event, request or answer.
public struct NetworkFate: Hashable, Sendable {
  /// How much longer it takes.
  public let latency: Duration
  /// Whether it never arrives. Then its connection breaks: TCP sends again what is lost, until it gives
  /// the connection up.
  public let isLost: Bool

  package init(latency: Duration, isLost: Bool) {
    self.latency = latency
    self.isLost = isLost
  }
}
