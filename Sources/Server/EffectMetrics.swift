import CoreMetrics
import ImmutableData
import Logging

/// Measures effects: how long each takes and whether it succeeds.
enum EffectMetrics {
  /// Effects have few names, so there are few metrics.
  static func middleware(_ logger: Logger) -> EffectLanes.Middleware {
    { effect, next in
      let begun = ContinuousClock.now
      let result = await Result { try await next() }
      let outcome = if case .success = result { "success" } else { "failure" }
      let duration = ContinuousClock.now - begun
      Timer(label: "effect_seconds", dimensions: [("effect", effect), ("result", outcome)])
        .recordNanoseconds(Int64(duration / .nanoseconds(1)))
      logger.debug(
        "effect",
        metadata: ["effect": "\(effect)", "result": "\(outcome)", "duration": "\(duration)"]
      )
      try result.get()
    }
  }
}

extension Result where Success == Void, Failure == any Error {
  /// The result of asynchronous work.
  fileprivate init(_ work: () async throws -> Void) async {
    do {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
