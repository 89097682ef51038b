package import Logging
import Synchronization

/// Counts of what rendering did. They show that work is shared.
public struct RenderCounts: Hashable, Sendable {
  /// Output selectors that ran.
  public var outputRuns = 0
  /// Sets of dependency selectors that ran.
  public var dependencyRuns = 0
  /// Selectors that were updated without running their output.
  public var memoHits = 0
  /// Selectors whose filter refused all actions since the last frame.
  public var filterRefusals = 0
  /// Regions whose body and template ran.
  public var regionRenders = 0
  /// Rows of lists whose template ran.
  public var rowRenders = 0
  /// Computed differences between two renders of a region.
  public var diffs = 0
  /// Frames that were sent.
  public var frames = 0

  public init() {}

  public static func - (lhs: Self, rhs: Self) -> Self {
    var counts = Self()
    counts.outputRuns = lhs.outputRuns - rhs.outputRuns
    counts.dependencyRuns = lhs.dependencyRuns - rhs.dependencyRuns
    counts.memoHits = lhs.memoHits - rhs.memoHits
    counts.filterRefusals = lhs.filterRefusals - rhs.filterRefusals
    counts.regionRenders = lhs.regionRenders - rhs.regionRenders
    counts.rowRenders = lhs.rowRenders - rhs.rowRenders
    counts.diffs = lhs.diffs - rhs.diffs
    counts.frames = lhs.frames - rhs.frames
    return counts
  }
}

/// Counts what rendering does, on any thread, and keeps the findings of audits and renders.
package final class FrameCounters: Sendable {
  /// A number that any thread adds to.
  package struct Count: ~Copyable, Sendable {
    private let number = Atomic(0)

    package var value: Int { self.number.load(ordering: .relaxed) }

    package func add(_ count: Int = 1) {
      self.number.wrappingAdd(count, ordering: .relaxed)
    }
  }

  package let outputRuns = Count()
  package let dependencyRuns = Count()
  package let memoHits = Count()
  package let filterRefusals = Count()
  package let regionRenders = Count()
  package let rowRenders = Count()
  package let diffs = Count()
  package let frames = Count()
  /// At most ``findingLimit``, without repetitions.
  private let findings = Mutex<[String]>([])
  /// What was warned of; at most ``findingLimit``.
  private let warnings = Mutex<Set<String>>([])
  package let isAuditing: Bool
  private let keepsMistakes: Bool
  private let logger: Logger?

  private static let findingLimit = 100

  /// - Parameters:
  ///   - isAuditing: Whether audits run.
  ///   - keepsMistakes: Whether mistakes in components (``report(_:)``) count.
  ///   - logger: Receives their findings.
  package init(isAuditing: Bool = false, keepsMistakes: Bool = true, logger: Logger? = nil) {
    self.isAuditing = isAuditing
    self.keepsMistakes = keepsMistakes
    self.logger = logger
  }

  package var current: RenderCounts {
    var counts = RenderCounts()
    counts.outputRuns = self.outputRuns.value
    counts.dependencyRuns = self.dependencyRuns.value
    counts.memoHits = self.memoHits.value
    counts.filterRefusals = self.filterRefusals.value
    counts.regionRenders = self.regionRenders.value
    counts.rowRenders = self.rowRenders.value
    counts.diffs = self.diffs.value
    counts.frames = self.frames.value
    return counts
  }

  /// Removes and returns what audits and renders have found since the last call.
  package func takeFindings() -> [String] {
    self.findings.withLock { findings in
      defer { findings = [] }
      return findings
    }
  }

  /// Runs a check if auditing is on. The check returns what is wrong.
  package func audit(_ check: () -> String?) {
    guard self.isAuditing, let finding = check() else { return }
    if self.isNew(finding) { self.logger?.warning("\(finding)") }
  }

  /// Records a mistake in a component that a render has found. It is logged once, also if audits do
  /// not run.
  package func report(_ mistake: String) {
    if self.keepsMistakes, self.isNew(mistake) { self.logger?.error("\(mistake)") }
  }

  /// Logs what is probably a mistake of the program, once. Unlike ``report(_:)``, it fails no test.
  package func warn(_ mistake: String) {
    let isNew = self.warnings.withLock { warnings in
      warnings.count < Self.findingLimit && warnings.insert(mistake).inserted
    }
    if isNew { self.logger?.warning("\(mistake)") }
  }

  private func isNew(_ finding: String) -> Bool {
    self.findings.withLock { findings in
      guard findings.contains(finding) == false, findings.count < Self.findingLimit else {
        return false
      }
      findings.append(finding)
      return true
    }
  }
}
