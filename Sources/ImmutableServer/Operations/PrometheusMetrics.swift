public import CoreMetrics
import Synchronization

/// Keeps the metrics of the process and writes them in the Prometheus text format.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// MetricsSystem.bootstrap(metrics)
/// metrics.text  // # TYPE frames_total counter …
/// ```
///
/// Source: Prometheus, Exposition formats, text-based format 0.0.4.
public final class PrometheusMetrics: MetricsFactory {
  private struct Key: Hashable {
    let name: String
    /// `name="value"` of each dimension.
    let labels: [String]
  }

  private let metrics = Mutex<[Key: any Metric]>([:])

  public init() {}

  /// All metrics.
  ///
  /// - Complexity: O(n log n), n metrics.
  public var text: String {
    let metrics = self.metrics.withLock { $0 }
    var lines: [String] = []
    var last = ""
    for (key, metric) in metrics.sorted(by: { Self.isBefore($0.key, $1.key) }) {
      let name = key.name + metric.suffix
      if name != last {
        lines.append("# TYPE \(name) \(metric.type)")
        last = name
      }
      for sample in metric.samples {
        let labels = key.labels + sample.labels
        let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        lines.append("\(name)\(sample.suffix)\(list) \(sample.value)")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func isBefore(_ lhs: Key, _ rhs: Key) -> Bool {
    (lhs.name, lhs.labels.joined()) < (rhs.name, rhs.labels.joined())
  }

  private func metric<M: Metric>(
    _ label: String,
    _ dimensions: [(String, String)],
    _ make: () -> M
  ) -> M {
    let key = Key(
      name: Self.name(label),
      labels: dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }
    )
    return self.metrics.withLock { metrics in
      if let metric = metrics[key] as? M { return metric }
      let metric = make()
      metrics[key] = metric
      return metric
    }
  }

  /// Letters, digits and underscores; the first is not a digit.
  private static func name(_ label: String) -> String {
    let name = label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return name.first?.isNumber == false ? String(name) : "_" + String(name)
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    // By scalar, because a character can be a quotation mark with an accent, or two line ends.
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension PrometheusMetrics {
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    self.metric(label, dimensions) { CountingMetric() }
  }

  public func makeRecorder(
    label: String,
    dimensions: [(String, String)],
    aggregate: Bool
  ) -> any RecorderHandler {
    aggregate
      ? self.metric(label, dimensions) { DistributedMetric() }
      : self.metric(label, dimensions) { GaugedMetric() }
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    self.metric(label, dimensions) { DistributedMetric() }
  }

  // Destroying a handler keeps its values.
  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}
}

private struct Sample {
  var suffix = ""
  var labels: [String] = []
  let value: String
}

private protocol Metric: AnyObject, Sendable {
  var type: String { get }
  /// Appended to the metric's name.
  var suffix: String { get }
  var samples: [Sample] { get }
}

private final class CountingMetric: Metric, CounterHandler {
  private let value = Atomic<Int64>(0)

  let type = "counter"
  let suffix = "_total"
  var samples: [Sample] { [Sample(value: "\(self.value.load(ordering: .relaxed))")] }

  func increment(by amount: Int64) {
    self.value.wrappingAdd(amount, ordering: .relaxed)
  }

  func reset() {
    self.value.store(0, ordering: .relaxed)
  }
}

private final class GaugedMetric: Metric, RecorderHandler {
  private let value = Mutex(0.0)

  let type = "gauge"
  let suffix = ""
  var samples: [Sample] { [Sample(value: "\(self.value.withLock { $0 })")] }

  func record(_ value: Int64) {
    self.record(Double(value))
  }

  func record(_ value: Double) {
    self.value.withLock { $0 = value }
  }
}

/// A histogram. Timers record seconds.
private final class DistributedMetric: Metric, RecorderHandler, TimerHandler {
  private struct Distribution {
    var counts = [Int](repeating: 0, count: DistributedMetric.bounds.count)
    var count = 0
    var sum = 0.0
  }

  private static let bounds = [
    0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
  ]

  private let distribution = Mutex(Distribution())

  let type = "histogram"
  let suffix = ""

  var samples: [Sample] {
    let distribution = self.distribution.withLock { $0 }
    var buckets = zip(Self.bounds, distribution.counts).map { bound, count in
      Sample(suffix: "_bucket", labels: ["le=\"\(bound)\""], value: "\(count)")
    }
    buckets.append(
      Sample(suffix: "_bucket", labels: ["le=\"+Inf\""], value: "\(distribution.count)")
    )
    return buckets + [
      Sample(suffix: "_sum", value: "\(distribution.sum)"),
      Sample(suffix: "_count", value: "\(distribution.count)"),
    ]
  }

  func record(_ value: Int64) {
    self.record(Double(value))
  }

  func record(_ value: Double) {
    self.distribution.withLock { distribution in
      for index in Self.bounds.indices where value <= Self.bounds[index] {
        distribution.counts[index] += 1
      }
      distribution.count += 1
      distribution.sum += value
    }
  }

  func recordNanoseconds(_ duration: Int64) {
    self.record(Double(duration) / 1e9)
  }
}
