import CoreMetrics
import ImmutableData
import Logging

/// Measures effects: how long each takes and whether it succeeds.
enum EffectMetrics {
  /// Effects have few names, so there are few metrics.
  static func middleware(_ logger: Logger) -> EffectLanes.Middleware {
    { effect, next in
      let begun = ContinuousClock.now
      func record(_ result: String) {
        let duration = ContinuousClock.now - begun
        Timer(label: "effect_seconds", dimensions: [("effect", effect), ("result", result)])
          .recordNanoseconds(Int64(duration / .nanoseconds(1)))
        logger.debug(
          "effect",
          metadata: ["effect": "\(effect)", "result": "\(result)", "duration": "\(duration)"]
        )
      }

      do {
        try await next()
      } catch {
        record("failure")
        throw error
      }
      record("success")
    }
  }
}
