import ImmutableRuntime

/// A part of a frame, with the parts that it consists of: product, page, region, and the work for
/// the region.
struct CostTree: Hashable, Sendable {
  let label: String
  /// The phase of a part that has no parts of its own.
  private(set) var phase: FrameCost.Phase?
  private(set) var duration: Duration
  /// Longest first.
  private(set) var children: [CostTree] = []

  init(_ frame: MeasuredFrame) {
    self.init(label: frame.product, duration: .zero)
    for part in frame.parts { self.add(part, at: part.subject.path[...]) }
    self.sort()
    // The rest is the part's own time.
    self.duration = frame.duration
  }

  private init(label: String, duration: Duration) {
    self.label = label
    self.duration = duration
  }

  private mutating func add(_ part: FrameCost.Part, at path: ArraySlice<String>) {
    self.duration += part.duration
    guard let label = path.first else {
      self.phase = part.subject.phase
      return
    }
    let known = self.children.firstIndex { $0.label == label }
    if known == nil { self.children.append(CostTree(label: label, duration: .zero)) }
    self.children[known ?? self.children.endIndex - 1].add(part, at: path.dropFirst())
  }

  private mutating func sort() {
    self.children.sort {
      $0.duration == $1.duration ? $0.label < $1.label : $0.duration > $1.duration
    }
    for index in self.children.indices { self.children[index].sort() }
  }
}

extension CostTree {
  /// A box of the flame graph.
  struct Box: Hashable, Sendable {
    let label: String
    let phase: FrameCost.Phase?
    /// Its start, measured from the start of the whole.
    let start: Duration
    let duration: Duration
    /// The number of parts around it.
    let depth: Int
  }

  /// Each part is above the parts that it consists of.
  func boxes(from start: Duration = .zero, depth: Int = 0) -> [Box] {
    let box = Box(
      label: self.label, phase: self.phase, start: start, duration: self.duration, depth: depth)
    var next = start
    return self.children.reduce(into: [box]) { boxes, child in
      boxes += child.boxes(from: next, depth: depth + 1)
      next += child.duration
    }
  }
}
