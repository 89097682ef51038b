package import Logging
import Synchronization

/// What rendering did, counted: the proof that work is shared.
public struct RenderCounts: Hashable, Sendable {
  /// Output selectors that ran.
  public var outputRuns = 0
  /// Sets of dependency selectors that ran.
  public var dependencyRuns = 0
  /// Selectors that were asked and had no need to run their output.
  public var memoHits = 0
  /// Selectors that no action since the last frame could concern.
  public var filterRefusals = 0
  /// Regions whose body and template ran.
  public var regionRenders = 0
  /// Rows of lists whose template ran.
  public var rowRenders = 0
  /// Differences between two renders of a region that were worked out.
  public var diffs = 0
  /// Frames that had something to say.
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

/// Counts, from wherever rendering happens, and holds what an audit found.
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
  /// At most ``findingLimit``; what is found again and again counts once.
  private let findings = Mutex<[String]>([])
  private let isAuditing: Bool
  private let logger: Logger?

  private static let findingLimit = 100

  /// - Parameters:
  ///   - isAuditing: Whether checks run.
  ///   - logger: Is told what they find.
  package init(isAuditing: Bool = false, logger: Logger? = nil) {
    self.isAuditing = isAuditing
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

  /// What audits found since the last time, and forgets it.
  package func takeFindings() -> [String] {
    self.findings.withLock { findings in
      defer { findings = [] }
      return findings
    }
  }

  /// Runs a check, when auditing, that returns what is wrong.
  package func audit(_ check: () -> String?) {
    guard self.isAuditing, let finding = check() else { return }
    let isNew = self.findings.withLock { findings in
      guard findings.contains(finding) == false, findings.count < Self.findingLimit else {
        return false
      }
      findings.append(finding)
      return true
    }
    if isNew { self.logger?.warning("\(finding)") }
  }
}
