/// The pauses between attempts that fail one after another. Each pause is a random time, whose
/// maximum doubles with each failure up to a limit. So many clients that lost the same server do
/// not all reconnect at once.
///
/// ```swift
/// var backoff = Backoff(base: .seconds(1), limit: .seconds(8), random: { 0.5 })
/// backoff.next()  // 0.5 s, then 1, 2, 4 and 4 s
/// ```
///
/// Source: M. Brooker, "Exponential Backoff And Jitter", the variant with full jitter.
public struct Backoff: Sendable {
  private let base: Duration
  private let limit: Duration
  private let least: Duration
  private let random: @Sendable () -> Double
  /// The maximum length of the next pause.
  private var most: Duration

  /// - Parameters:
  ///   - base: The maximum length of the first pause.
  ///   - limit: The maximum length of any pause.
  ///   - least: The minimum length of any pause.
  ///   - random: A number from 0 to 1.
  public init(
    base: Duration,
    limit: Duration,
    least: Duration = .zero,
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.base = base
    self.limit = limit
    self.least = least
    self.random = random
    self.most = min(base, limit)
  }

  /// The pause after another failure.
  public mutating func next() -> Duration {
    defer { self.most = min(self.most * 2, self.limit) }
    return max(self.least, self.most * self.random())
  }

  /// Starts over, because an attempt has succeeded.
  public mutating func reset() {
    self.most = min(self.base, self.limit)
  }
}
