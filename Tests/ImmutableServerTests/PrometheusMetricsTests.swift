import CoreMetrics
import ImmutableServer
import Testing

struct PrometheusMetricsTests {
  private let metrics = PrometheusMetrics()

  @Test func `without metrics there is no text`() {
    #expect(self.metrics.text == "")
  }

  @Test func `a counter is written with its type`() {
    let counter = self.metrics.makeCounter(label: "frames", dimensions: [])
    counter.increment(by: 3)
    counter.increment(by: 4)

    #expect(
      self.metrics.text == """
        # TYPE frames_total counter
        frames_total 7

        """
    )
  }

  @Test func `a gauge has the last value`() {
    let gauge = self.metrics.makeRecorder(label: "windows", dimensions: [], aggregate: false)
    gauge.record(Int64(12))
    gauge.record(2.5)

    #expect(
      self.metrics.text == """
        # TYPE windows gauge
        windows 2.5

        """
    )
  }

  @Test func `histogram buckets are cumulative and include their upper bound`() {
    let recorder = self.metrics.makeRecorder(label: "size", dimensions: [], aggregate: true)
    recorder.record(0.25)
    recorder.record(0.5)
    recorder.record(Int64(64))

    #expect(
      self.metrics.text == """
        # TYPE size histogram
        size_bucket{le="0.0005"} 0
        size_bucket{le="0.001"} 0
        size_bucket{le="0.002"} 0
        size_bucket{le="0.005"} 0
        size_bucket{le="0.01"} 0
        size_bucket{le="0.02"} 0
        size_bucket{le="0.05"} 0
        size_bucket{le="0.1"} 0
        size_bucket{le="0.2"} 0
        size_bucket{le="0.5"} 2
        size_bucket{le="1.0"} 2
        size_bucket{le="2.0"} 2
        size_bucket{le="5.0"} 2
        size_bucket{le="10.0"} 2
        size_bucket{le="+Inf"} 3
        size_sum 64.75
        size_count 3

        """
    )
  }

  @Test func `a timer is a histogram of seconds`() {
    let timer = self.metrics.makeTimer(label: "wait_seconds", dimensions: [("kind", "a")])
    timer.recordNanoseconds(1_500_000_000)

    let lines = self.metrics.text.split(separator: "\n")
    #expect(lines.first == "# TYPE wait_seconds histogram")
    #expect(lines.contains(#"wait_seconds_bucket{kind="a",le="1.0"} 0"#))
    #expect(lines.contains(#"wait_seconds_bucket{kind="a",le="2.0"} 1"#))
    #expect(lines.contains(#"wait_seconds_sum{kind="a"} 1.5"#))
    #expect(lines.contains(#"wait_seconds_count{kind="a"} 1"#))
  }

  @Test func `metrics are in order, with one type for each name`() {
    for (label, status) in [("requests", "5xx"), ("frames", ""), ("requests", "2xx")] {
      let dimensions = status.isEmpty ? [] : [("status", status)]
      self.metrics.makeCounter(label: label, dimensions: dimensions).increment(by: 1)
    }

    #expect(
      self.metrics.text == """
        # TYPE frames_total counter
        frames_total 1
        # TYPE requests_total counter
        requests_total{status="2xx"} 1
        requests_total{status="5xx"} 1

        """
    )
  }

  @Test func `the same name and labels are the same metric`() {
    for _ in 1...2 {
      let counter = self.metrics.makeCounter(label: "frames", dimensions: [("a", "b")])
      counter.increment(by: 1)
      self.metrics.destroyCounter(counter)
    }

    #expect(self.metrics.text.hasSuffix("frames_total{a=\"b\"} 2\n"))
  }

  @Test(
    arguments: [
      (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), (#"\""#, #"\\\""#),
      ("a\r\nb", "a\r\\nb"), ("\"\u{301}", "\\\"\u{301}"), ("Ä{}=,", "Ä{}=,"), ("", ""),
    ]
  )
  func `a label's value is escaped`(value: String, escaped: String) {
    self.metrics.makeCounter(label: "a", dimensions: [("b", value)]).increment(by: 1)

    // By scalar: two line ends can be one character.
    let text = self.metrics.text.unicodeScalars
    #expect(
      Array(text) == Array("# TYPE a_total counter\na_total{b=\"\(escaped)\"} 1\n".unicodeScalars))
  }

  @Test(
    arguments: [
      ("a.b-c d", "a_b_c_d"), ("1st", "_1st"), ("Ä1", "_1"), ("a\n# TYPE b", "a___TYPE_b"),
      ("", "_"),
    ]
  )
  func `a name has letters, digits and underscores`(label: String, name: String) {
    self.metrics.makeRecorder(label: label, dimensions: [(label, "")], aggregate: false)
      .record(Int64(1))

    #expect(self.metrics.text == "# TYPE \(name) gauge\n\(name){\(name)=\"\"} 1.0\n")
  }

  @Test func `a counter incremented concurrently loses nothing`() async {
    let counter = self.metrics.makeCounter(label: "frames", dimensions: [])

    await withTaskGroup { group in
      for _ in 1...8 {
        group.addTask { for _ in 1...1_000 { counter.increment(by: 1) } }
      }
    }

    #expect(self.metrics.text.hasSuffix("frames_total 8000\n"))
  }
}
