import Foundation
import ImmutableData
import ImmutableRuntime

/// What has happened of late, for reports: in memory, and bounded.
struct ReportJournal<State: Sendable, Action: Sendable>: Sendable {
  /// At most so many entries, of about so many bytes by what actions carry, and no older than this.
  static var countLimit: Int { 2_000 }
  static var byteLimit: Int { 16 << 20 }
  static var ageLimit: TimeInterval { 600 }
  /// What a report has: the last minute.
  static var span: TimeInterval { 60 }

  enum Event: Sendable {
    case dispatch(Dispatch<State, Action>)
    case visit(Visit)
  }

  struct Entry: Sendable {
    /// The next for each entry.
    let number: Int
    let time: Date
    let event: Event
    let bytes: Int
  }

  private var entries: [Entry] = []
  private var first = 0
  private(set) var newest = 0
  private var bytes = 0

  /// - Complexity: O(1) on average, besides a look at the action.
  mutating func add(_ event: Event, at time: Date = .now) {
    let size =
      switch event {
      case .dispatch(let dispatch): 512 + HeapEstimate.bytes(of: dispatch.action)
      case .visit(let visit): 256 + visit.url.utf8.count
      }
    self.newest += 1
    self.entries.append(Entry(number: self.newest, time: time, event: event, bytes: size))
    self.bytes += size
    while self.isOld(at: time) {
      self.bytes -= self.entries[self.first].bytes
      self.first += 1
    }
    if self.first > Self.countLimit {
      self.entries.removeFirst(self.first)
      self.first = 0
    }
  }

  private func isOld(at time: Date) -> Bool {
    self.first < self.entries.count
      && (self.entries.count - self.first > Self.countLimit || self.bytes > Self.byteLimit
        || self.entries[self.first].time.addingTimeInterval(Self.ageLimit) < time)
  }

  /// The last minute.
  ///
  /// - Complexity: O(n), n entries.
  func span(at time: Date = .now) -> ReportSpan {
    let kept = self.entries[self.first...]
    let number = kept.first { $0.time.addingTimeInterval(Self.span) >= time }?.number
    return ReportSpan(first: number ?? self.newest + 1, last: self.newest)
  }

  /// The entries of a span, and the one after it.
  ///
  /// - Returns: `nil` if some are not there any longer, or were never.
  func entries(of span: ReportSpan) -> (entries: [Entry], next: Entry?)? {
    let kept = self.entries[self.first...]
    guard span.last <= self.newest, span.first <= span.last + 1,
      span.first >= kept.first?.number ?? self.newest + 1
    else { return nil }
    let index = { (number: Int) in kept.endIndex - (self.newest + 1 - number) }
    let end = index(span.last + 1)
    return (Array(kept[index(span.first)..<end]), end < kept.endIndex ? kept[end] : nil)
  }
}

/// The numbers of the entries that a report has. It goes to the visitor and back, so that what was shown is
/// what is sent.
struct ReportSpan: LosslessStringConvertible, Hashable, Sendable {
  let first: Int
  let last: Int

  init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }

  init?(_ description: String) {
    let numbers = description.split(separator: "-", omittingEmptySubsequences: false).map {
      Int($0)
    }
    guard numbers.count == 2, let first = numbers[0], let last = numbers[1],
      first >= 0, last < Int.max
    else { return nil }
    self.init(first: first, last: last)
  }

  var description: String { "\(self.first)-\(self.last)" }
}
