/// How long to pause between attempts that fail one after the other: a random time, of which the
/// most doubles with each failure up to a limit. So many who lost the same server do not all come
/// back at once.
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
  private let random: @Sendable () -> Double
  /// The most that the next pause may be.
  private var most: Duration

  /// - Parameters:
  ///   - base: The most that the first pause may be.
  ///   - limit: The most that any pause may be.
  ///   - random: A number from 0 to 1.
  public init(
    base: Duration,
    limit: Duration,
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.base = base
    self.limit = limit
    self.random = random
    self.most = min(base, limit)
  }

  /// The pause after another failure.
  public mutating func next() -> Duration {
    defer { self.most = min(self.most * 2, self.limit) }
    return self.most * self.random()
  }

  /// Begins anew, because something has succeeded.
  public mutating func reset() {
    self.most = min(self.base, self.limit)
  }
}
