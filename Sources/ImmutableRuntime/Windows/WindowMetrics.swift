import ImmutableUI
import Metrics
import Synchronization

/// Reports a window group's metrics to the process's metrics system.
final class WindowMetrics: Sendable {
  private let windows = Gauge(label: "windows")
  private let streams = Gauge(label: "streams")
  private let places = Gauge(label: "places")
  private let waiting = Gauge(label: "requests_waiting")
  private let unread = Gauge(label: "unread_bytes")
  private let frames = Counter(label: "frames")
  private let regionRenders = Counter(label: "region_renders")
  private let rowRenders = Counter(label: "row_renders")
  private let selectorRuns = Counter(label: "selector_runs")
  private let selectorHits = Counter(label: "selector_hits")
  private let refusals = Counter(label: "selector_filter_refusals")
  private let differences = Counter(label: "region_differences")

  private let counted = Mutex(RenderCounts())

  /// Reports the number and size of a cache's entries.
  func report(_ cache: String, count: Int, bytes: Int) {
    Gauge(label: "cached_entries", dimensions: [("cache", cache)]).record(count)
    Gauge(label: "cached_bytes", dimensions: [("cache", cache)]).record(bytes)
  }

  /// Reports whether a product was too busy to say what it holds.
  func report(_ product: String, isBusy: Bool) {
    Gauge(label: "product_busy", dimensions: [("product", product)]).record(isBusy ? 1 : 0)
  }

  /// Reports the current counts, and the counts of rendering since the last report.
  func report(
    _ counts: RenderCounts,
    windows: Int,
    streams: Int,
    places: Int,
    waiting: Int,
    unread: Int
  ) {
    self.windows.record(windows)
    self.streams.record(streams)
    self.places.record(places)
    self.waiting.record(waiting)
    self.unread.record(unread)
    let new = self.counted.withLock { counted in
      defer { counted = counts }
      return counts - counted
    }
    self.frames.increment(by: new.frames)
    self.regionRenders.increment(by: new.regionRenders)
    self.rowRenders.increment(by: new.rowRenders)
    self.selectorRuns.increment(by: new.outputRuns)
    self.selectorHits.increment(by: new.memoHits)
    self.refusals.increment(by: new.filterRefusals)
    self.differences.increment(by: new.diffs)
  }
}

/// Measures the time from a post to its frame.
struct PushLatency {
  private let timer = Timer(label: "dispatch_to_push_seconds")
  /// Submissions whose frame has not been made yet. Bounded by the posts since the last frame.
  private var dispatches: [(version: UInt64, at: ContinuousClock.Instant)] = []

  /// Records that a submission has been reduced.
  ///
  /// - Parameter instant: The time before it was reduced.
  mutating func didDispatch(_ version: UInt64, at instant: ContinuousClock.Instant) {
    self.dispatches.append((version, instant))
  }

  /// Records that the frame of a version has been sent to the hubs.
  mutating func didPush(_ framed: UInt64) {
    self.dispatches.removeAll { dispatch in
      guard framed >= dispatch.version else { return false }
      self.timer.record(duration: .now - dispatch.at)
      return true
    }
  }
}
