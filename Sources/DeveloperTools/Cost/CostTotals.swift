import ImmutableRuntime
import ImmutableUI

/// The total cost of several frames, by phase, selector and region.
struct CostTotals: Hashable, Sendable {
  struct Selector: Hashable, Sendable {
    let product: String
    let name: String?
    let position: String
    var runs = 0
    /// The number of runs that changed the output.
    var changes = 0
    var duration = Duration.zero
    /// The rows that its runs went through; `nil` if it is not a selector of a table.
    var rows: FrameTimes.RowCounts?
  }

  struct Region: Hashable, Sendable {
    let product: String
    let subject: FrameCost.Subject
    var renders = 0
    /// The time, including its selectors, renders and differences.
    var duration = Duration.zero
  }

  let frameCount: Int
  let duration: Duration
  private(set) var phases: [FrameCost.Phase: Duration] = [:]
  /// Longest first.
  private(set) var selectors: [Selector] = []
  private(set) var regions: [Region] = []

  init(of frames: [MeasuredFrame]) {
    self.frameCount = frames.count
    self.duration = frames.reduce(.zero) { $0 + $1.duration }
    var selectors: [[String]: Selector] = [:]
    var regions: [[String]: Region] = [:]
    for (product, part) in Self.sums(of: frames) {
      let subject = part.subject
      self.phases[subject.phase, default: .zero] += part.duration
      if subject.phase == .select {
        let (name, position) = (subject.name, subject.position ?? "")
        selectors[
          [product, name ?? "", position],
          default: Selector(product: product, name: name, position: position)
        ].add(part)
      }
      if let page = subject.page, let region = subject.region {
        let address = FrameCost.Subject(.render, page: page, region: region)
        regions[[product, page, region], default: Region(product: product, subject: address)]
          .add(part)
      }
    }
    self.selectors = Self.longestFirst(selectors, \.duration)
    self.regions = Self.longestFirst(regions, \.duration)
  }

  /// The parts of all frames with the same subject as one. Frames have many parts, but few subjects.
  private static func sums(
    of frames: [MeasuredFrame]
  ) -> [(product: String, part: FrameCost.Part)] {
    struct Key: Hashable {
      let product: String
      let subject: FrameCost.Subject
    }

    var sums: [Key: FrameCost.Part] = [:]
    for frame in frames {
      for part in frame.parts {
        sums[
          Key(product: frame.product, subject: part.subject),
          default: FrameCost.Part(part.subject)
        ].add(part)
      }
    }
    return sums.map { ($0.key.product, $0.value) }
  }

  private static func longestFirst<Sum>(
    _ sums: [[String]: Sum],
    _ duration: KeyPath<Sum, Duration>
  ) -> [Sum] {
    let sorted = sums.sorted { one, other in
      let durations = (one.value[keyPath: duration], other.value[keyPath: duration])
      return durations.0 == durations.1
        ? one.key.lexicographicallyPrecedes(other.key) : durations.0 > durations.1
    }
    return sorted.map(\.value)
  }
}

extension FrameCost.Part {
  fileprivate mutating func add(_ part: Self) {
    self.runs += part.runs
    self.changes += part.changes
    self.duration += part.duration
    self.rows = FrameTimes.RowCounts.sum(self.rows, part.rows)
  }
}

extension CostTotals.Selector {
  fileprivate mutating func add(_ part: FrameCost.Part) {
    self.runs += part.runs
    self.changes += part.changes
    self.duration += part.duration
    self.rows = FrameTimes.RowCounts.sum(self.rows, part.rows)
  }
}

extension CostTotals.Region {
  fileprivate mutating func add(_ part: FrameCost.Part) {
    self.renders += part.subject.phase == .render ? part.runs : 0
    self.duration += part.duration
  }
}
