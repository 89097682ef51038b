import Synchronization

/// The times of the parts of one frame. It exists only in frames that are observed.
///
/// The time of a part does not include the parts that it contains. For example, the render of a
/// region contains the selectors that only it reads.
package final class FrameTimes: Sendable {
  package enum Part: Sendable {
    /// A selector was updated.
    ///
    /// - Parameters:
    ///   - label: Its label, if it has one.
    ///   - position: Where it is declared: file and line.
    ///   - readers: The regions that read it.
    ///   - didChange: Whether its output has changed.
    ///   - rows: The rows of its table that the update went through; `nil` if it is not a selector of
    ///     a table.
    case select(
      label: String?, position: String, readers: [RegionComponent], didChange: Bool,
      rows: RowCounts?)
    case render(RegionComponent)
    /// - Parameters:
    ///   - region: The region's name.
    ///   - page: The path of a page that shows it.
    case difference(region: String, page: String)
    /// - Parameter page: The path of the page whose windows an event is for; `nil` for handing
    ///   events over to the streams.
    case write(page: String?)
  }

  /// The rows that an update of a selector of a table went through.
  package struct RowCounts: Hashable, Sendable {
    /// The rows that it looked at: those that differ, or all rows if it was derived from scratch.
    package var looked: Int
    /// The rows that differ; all rows if it was derived from scratch.
    package var changed: Int

    package init(looked: Int, changed: Int) {
      self.looked = looked
      self.changed = changed
    }

    /// The sum; `nil` if neither is known.
    package static func sum(_ lhs: Self?, _ rhs: Self?) -> Self? {
      guard let lhs, let rhs else { return lhs ?? rhs }
      return Self(looked: lhs.looked + rhs.looked, changed: lhs.changed + rhs.changed)
    }
  }

  package struct Sample: Sendable {
    package let part: Part
    package let duration: Duration
  }

  private struct Contents {
    var samples: [Sample] = []
    /// The total time of all samples.
    var duration = Duration.zero
    /// The selectors that were updated. They are retained, so that no new selector can have the
    /// same address.
    var updated: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    /// The rows of the selector that is being updated.
    var rows: RowCounts?
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// In the order in which they ended.
  package var samples: [Sample] { self.contents.withLock { $0.samples } }

  /// Measures the time of a part.
  ///
  /// - Parameters:
  ///   - body: The work to measure.
  ///   - part: Identifies the part.
  package func measure<Result>(
    _ body: () throws -> Result,
    as part: (Result) -> Part
  ) rethrows -> Result {
    let (begun, before) = (ContinuousClock.now, self.contents.withLock { $0.duration })
    let result = try body()
    let elapsed = .now - begun
    let sampled = part(result)
    self.contents.withLock { contents in
      let own = elapsed - (contents.duration - before)
      contents.samples.append(Sample(part: sampled, duration: own))
      contents.duration += own
    }
    return result
  }

  /// Notes the rows that the selector that is being updated went through.
  func note(_ rows: RowCounts) {
    self.contents.withLock { $0.rows = rows }
  }

  /// Removes and returns what was noted last.
  package func takeRows() -> RowCounts? {
    self.contents.withLock { contents in
      defer { contents.rows = nil }
      return contents.rows
    }
  }

  /// Whether a selector is updated for the first time in the frame. Only then is there work to do.
  func isFirstUpdate(of memo: any AnyObject & Sendable) -> Bool {
    self.contents.withLock { $0.updated.updateValue(memo, forKey: ObjectIdentifier(memo)) == nil }
  }
}

extension FrameTimes? {
  /// Measures the time of a part, if the frame is observed.
  package func measure<Result>(
    _ part: @autoclosure () -> FrameTimes.Part,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard let self else { return try body() }
    return try self.measure(body, as: { _ in part() })
  }
}
