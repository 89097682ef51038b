import Foundation
import ImmutableData
import ImmutableRuntime

/// Recent actions and visits, for reports. They are kept in memory, and bounded.
struct ReportJournal<State: Sendable, Action: Sendable>: Sendable {
  /// The maximum number of entries, the maximum size of their payloads and states in bytes
  /// (approximately), and their maximum age.
  static var countLimit: Int { 2_000 }
  static var byteLimit: Int { 16 << 20 }
  static var ageLimit: TimeInterval { 600 }
  /// The time span of a report: the last minute.
  static var span: TimeInterval { 60 }

  enum Event: Sendable {
    case dispatch(Dispatch<State, Action>)
    case visit(Visit)
  }

  struct Entry: Sendable {
    /// Entries are numbered consecutively.
    let number: Int
    let time: Date
    let event: Event
    let bytes: Int
  }

  /// Another process numbers its entries from 1, too.
  let id = Identifier().text
  /// By number.
  private var entries: [Int: Entry] = [:]
  private var oldest = 1
  private var newest = 0
  private var bytes = 0

  /// - Complexity: O(1) on average, besides estimating the size of the action and of its states.
  mutating func add(_ event: Event, at time: Date = .now) {
    let size =
      switch event {
      case .dispatch(let dispatch): 512 + dispatch.retainedBytes
      case .visit(let visit): visit.bytes
      }
    self.newest += 1
    self.entries[self.newest] = Entry(number: self.newest, time: time, event: event, bytes: size)
    self.bytes += size
    while let old = self.entries[self.oldest], self.isTooMuch(old, at: time) {
      self.bytes -= old.bytes
      self.entries[self.oldest] = nil
      self.oldest += 1
    }
  }

  private func isTooMuch(_ entry: Entry, at time: Date) -> Bool {
    self.entries.count > Self.countLimit || self.bytes > Self.byteLimit
      || entry.time.addingTimeInterval(Self.ageLimit) < time
  }

  /// The last minute.
  ///
  /// - Complexity: O(n), n entries.
  func span(at time: Date = .now) -> ReportSpan {
    let first = (self.oldest..<self.newest + 1).first { number in
      self.entries[number].map { $0.time.addingTimeInterval(Self.span) >= time } ?? false
    }
    return ReportSpan(journal: self.id, first: first ?? self.newest + 1, last: self.newest)
  }

  /// The entries of a span, and the first action after it.
  ///
  /// - Returns: `nil` if some of them are no longer kept, or never existed here.
  /// - Complexity: O(n), n entries.
  func entries(of span: ReportSpan) -> (entries: [Entry], next: Entry?)? {
    guard span.journal == self.id, span.first >= self.oldest, span.last <= self.newest,
      span.first <= span.last + 1
    else { return nil }
    let entries = (span.first..<span.last + 1).compactMap { self.entries[$0] }
    let later = (span.last + 1..<self.newest + 1).lazy.compactMap { self.entries[$0] }
    return (entries, later.first { if case .dispatch = $0.event { true } else { false } })
  }
}

/// The numbers of the entries in a report, in one journal. The form contains them, so that exactly
/// what was shown is sent.
struct ReportSpan: LosslessStringConvertible, Hashable, Sendable {
  let journal: String
  let first: Int
  let last: Int

  init(journal: String, first: Int, last: Int) {
    self.journal = journal
    self.first = first
    self.last = last
  }

  init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = Int(parts[1]), let last = Int(parts[2]),
      first >= 0, last < Int.max
    else { return nil }
    self.init(journal: String(parts[0]), first: first, last: last)
  }

  var description: String { "\(self.journal).\(self.first).\(self.last)" }
}
