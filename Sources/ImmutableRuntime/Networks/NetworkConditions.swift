/// The network that developers simulate for a browser, to see how its windows behave.
public struct NetworkConditions: Hashable, Sendable {
  /// The added delay in each direction, in milliseconds.
  package let latency: Int
  /// The percentage of events, requests and answers that are lost. A loss breaks the connection.
  package let loss: Int
  /// The seed. With the same seed, the same ones are lost if they come in the same order.
  package let seed: Int
  /// Whether nothing gets through.
  package let isOffline: Bool

  package static let latencies = 0...5_000
  package static let losses = 0...100
  package static let seeds = 0...999_999

  package init(latency: Int = 0, loss: Int = 0, seed: Int = 0, isOffline: Bool = false) {
    self.latency = latency
    self.loss = loss
    self.seed = seed
    self.isOffline = isOffline
  }
}
