/// How bad developers have made the network of a browser, to see what its windows do then.
public struct NetworkConditions: Hashable, Sendable {
  /// How much longer everything takes in each direction, in milliseconds.
  package let latency: Int
  /// How many of 100 events, requests and answers are lost, and their connection with them.
  package let loss: Int
  /// With the same number the same ones are lost, if they come in the same order.
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
