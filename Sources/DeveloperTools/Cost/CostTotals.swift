import ImmutableRuntime
import ImmutableUI

/// The total cost of several frames, by phase, selector and region.
struct CostTotals: Hashable, Sendable {
  /// All work of a product for one subject.
  struct Sum: Hashable, Sendable {
    let product: String
    let work: FrameCost.Part
  }

  fileprivate struct Key: Hashable {
    let product: String
    let subject: FrameCost.Subject

    var texts: [String] {
      [
        self.product, self.subject.page, self.subject.region, self.subject.name,
        self.subject.position,
      ].map { $0 ?? "" }
    }
  }

  let frameCount: Int
  let duration: Duration
  private(set) var phases: [FrameCost.Phase: Duration] = [:]
  /// By name and position. Longest first.
  private(set) var selectors: [Sum] = []
  /// The work for each region, including its selectors, renders and differences. Only renders count
  /// as runs. Longest first.
  private(set) var regions: [Sum] = []

  init(of frames: [MeasuredFrame]) {
    self.frameCount = frames.count
    self.duration = frames.reduce(.zero) { $0 + $1.duration }
    // Frames have many parts, but few subjects.
    var sums: [Key: FrameCost.Part] = [:]
    for frame in frames {
      for part in frame.parts { sums.add(part, to: part.subject, of: frame.product) }
    }
    var (selectors, regions): ([Key: FrameCost.Part], [Key: FrameCost.Part]) = ([:], [:])
    for (key, part) in sums {
      let subject = key.subject
      self.phases[subject.phase, default: .zero] += part.duration
      if subject.phase == .select {
        selectors.add(
          part, to: FrameCost.Subject(.select, name: subject.name, position: subject.position),
          of: key.product)
      }
      if let page = subject.page, let region = subject.region {
        var part = part
        if subject.phase != .render { part.runs = 0 }
        regions.add(
          part, to: FrameCost.Subject(.render, page: page, region: region), of: key.product)
      }
    }
    self.selectors = selectors.longestFirst
    self.regions = regions.longestFirst
  }
}

extension [CostTotals.Key: FrameCost.Part] {
  fileprivate mutating func add(
    _ part: FrameCost.Part,
    to subject: FrameCost.Subject,
    of product: String
  ) {
    let key = CostTotals.Key(product: product, subject: subject)
    self[key, default: FrameCost.Part(subject)].add(part)
  }

  fileprivate var longestFirst: [CostTotals.Sum] {
    let sorted = self.sorted { one, other in
      one.value.duration == other.value.duration
        ? one.key.texts.lexicographicallyPrecedes(other.key.texts)
        : one.value.duration > other.value.duration
    }
    return sorted.map { CostTotals.Sum(product: $0.key.product, work: $0.value) }
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
