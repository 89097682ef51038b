import HTTPTypes
import Metrics

/// Reports the status and duration of requests to the process's metrics system.
struct RequestMetrics: Sendable {
  private let counts: [Counter] = (1...5).map { kind in
    Counter(label: "http_requests", dimensions: [("status", "\(kind)xx")])
  }
  private let duration = Timer(label: "http_request_seconds")

  func record(_ status: HTTPResponse.Status, _ duration: Duration) {
    let kind = status.code / 100 - 1
    if self.counts.indices.contains(kind) { self.counts[kind].increment() }
    self.duration.record(duration: duration)
  }
}
