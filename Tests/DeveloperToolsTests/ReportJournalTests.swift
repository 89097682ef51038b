import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing

@testable import DeveloperTools

struct ReportJournalTests {
  private typealias Journal = ReportJournal<Int, String>

  private let begun = Date(timeIntervalSince1970: 1_518_004_800)

  private func dispatch(_ action: String = "action", version: UInt64 = 1) -> Journal.Event {
    .dispatch(
      Dispatch(
        action: action, origin: nil, oldState: 0, result: .success(1), version: version,
        duration: .zero))
  }

  private var visit: Journal.Event { self.visit(.opens) }

  private func visit(_ event: Visit.Event) -> Journal.Event {
    .visit(
      Visit(
        product: "TestState", session: Identifier(), window: nil, url: "/",
        environment: WindowEnvironment(timeZone: .gmt), version: 1, event: event))
  }

  @Test func `a span is the last minute`() throws {
    var journal = Journal()
    for second in stride(from: 0.0, through: 120, by: 10) {
      journal.add(self.dispatch(), at: self.begun + second)
    }

    let span = journal.span(at: self.begun + 125)

    #expect(span == ReportSpan(journal: journal.id, first: 8, last: 13))
    let (entries, next) = try #require(journal.entries(of: span))
    #expect(entries.map(\.number) == Array(8...13))
    #expect(next == nil)
    journal.add(self.dispatch(), at: self.begun + 130)
    #expect(journal.entries(of: span)?.next?.number == 14)
  }

  @Test func `a span without actions is followed by the next action, not by a visit`() throws {
    var journal = Journal()
    journal.add(self.visit, at: self.begun)
    let span = journal.span(at: self.begun)
    journal.add(self.visit, at: self.begun)
    journal.add(self.dispatch(), at: self.begun)
    journal.add(self.dispatch(), at: self.begun)

    let (entries, next) = try #require(journal.entries(of: span))

    #expect(entries.map(\.number) == [1])
    #expect(next?.number == 3)
  }

  @Test func `what states do not share counts, too`() {
    var journal = ReportJournal<[UInt8], String>()
    var state = [UInt8](repeating: 0, count: 1 << 20)

    for version in 1...20 as ClosedRange<UInt8> {
      let old = state
      state[0] = version
      let dispatch = Dispatch(
        action: "action", origin: nil, oldState: old, result: .success(state),
        version: UInt64(version), duration: .zero)
      journal.add(.dispatch(dispatch), at: self.begun)
    }

    let (tooMany, kept) = (
      ReportSpan(journal: journal.id, first: 5, last: 20),
      ReportSpan(journal: journal.id, first: 6, last: 20)
    )
    #expect(journal.entries(of: tooMany) == nil)
    #expect(journal.entries(of: kept)?.entries.count == 15)
  }

  @Test func `a span without recorded actions is empty`() throws {
    var journal = Journal()
    #expect(journal.entries(of: journal.span())?.entries.isEmpty == true)
    journal.add(self.dispatch(), at: self.begun)

    let span = journal.span(at: self.begun + 90)

    #expect(span == ReportSpan(journal: journal.id, first: 2, last: 1))
    #expect(journal.entries(of: span)?.entries.isEmpty == true)
  }

  @Test func `the oldest entries are evicted by age, number and size`() {
    var journal = Journal()
    for number in 0..<10_000 { journal.add(self.dispatch(version: UInt64(number))) }
    #expect(
      journal.entries(of: ReportSpan(journal: journal.id, first: 8_001, last: 10_000))?.entries
        .count == 2_000)
    #expect(journal.entries(of: ReportSpan(journal: journal.id, first: 8_000, last: 10_000)) == nil)

    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<40 { journal.add(self.dispatch(text)) }
    #expect(
      journal.entries(of: ReportSpan(journal: journal.id, first: 10_026, last: 10_040))?.entries
        .count == 15)
    #expect(
      journal.entries(of: ReportSpan(journal: journal.id, first: 10_024, last: 10_040)) == nil)

    journal.add(self.dispatch(), at: .now + 700)
    #expect(
      journal.entries(of: ReportSpan(journal: journal.id, first: 10_040, last: 10_041)) == nil)
    #expect(
      journal.entries(of: ReportSpan(journal: journal.id, first: 10_041, last: 10_041)) != nil)
  }

  @Test func `visits are evicted by size, whatever name of a form browsers send`() {
    var journal = Journal()
    let name = String(repeating: "x", count: 1 << 20)

    for _ in 0..<40 { journal.add(self.visit(.posts(form: name, refusal: nil))) }

    let spans = [26, 24].map { ReportSpan(journal: journal.id, first: $0, last: 40) }
    #expect(spans.map { journal.entries(of: $0)?.entries.count } == [15, nil])
  }

  @Test(arguments: ["5.4000", "0.1", "9.3", "3", "-1.2", "1.9223372036854775807", "a.b", ""])
  func `an invalid span has no entries`(text: String) {
    var journal = Journal()
    for _ in 0..<10 { journal.add(self.dispatch(), at: self.begun) }

    #expect(ReportSpan("\(journal.id).\(text)").flatMap { journal.entries(of: $0) } == nil)
  }

  @Test func `a span of another process has no entries`() {
    var (journal, other) = (Journal(), Journal())
    for _ in 0..<10 {
      journal.add(self.dispatch(), at: self.begun)
      other.add(self.dispatch(), at: self.begun)
    }
    let text = journal.span(at: self.begun).description

    #expect(ReportSpan(text).flatMap { journal.entries(of: $0) }?.entries.count == 10)
    #expect(ReportSpan(text).flatMap { other.entries(of: $0) } == nil)
  }
}
