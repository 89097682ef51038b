import Foundation
import ImmutableRuntime
import ImmutableUI
import Synchronization
import Testing

@testable import DeveloperTools

struct LoggedVisitsTests {
  private static func visit(_ url: String, _ event: Visit.Event = .opens) -> LoggedVisit {
    let visit = Visit(
      product: "TestState", session: Identifier(), window: nil, url: url,
      environment: WindowEnvironment(), version: 1, event: event)
    return LoggedVisit(visit, at: .now, product: "Test", browser: "browser")
  }

  @Test func `the newest visits are kept`() {
    var visits = Newest<VisitEntry>()
    for number in 0..<(VisitEntry.countLimit + 5) {
      visits.append { VisitEntry(id: $0, visit: Self.visit("/\(number)"), entry: 0) }
    }

    #expect(visits.all.count == VisitEntry.countLimit)
    #expect(visits.all.first?.visit.url == "/5")
    #expect(visits.all.first?.id == 6)
  }

  @Test func `the visits are bounded in bytes, whatever browsers send`() {
    var visits = Newest<VisitEntry>()
    let long = String(repeating: "é", count: 1 << 20)
    for _ in 0..<VisitEntry.countLimit {
      let visit = Self.visit("/\(long)", .posts(form: long, refusal: long))
      visits.append { VisitEntry(id: $0, visit: visit, entry: 0) }
    }

    #expect(visits.bytes <= VisitEntry.byteLimit)
    #expect(visits.bytes == visits.all.reduce(0) { $0 + $1.bytes })
    #expect(visits.all.isEmpty == false)
  }

  @MainActor @Test func `a name that no form has is not kept`() async throws {
    let fixture = try await DeveloperFixture()
    let noted = Mutex<[Visit.Event]>([])
    fixture.app.windows.recordVisits(except: "DeveloperState") { visit in
      noted.withLock { $0.append(visit.event) }
    }
    let names = [String(repeating: "secret", count: 10_000), FormField.undo, "increment"]

    for name in names {
      _ = try await fixture.app.windows.submit(
        FormFields(Query([QueryItem(name: FormField.form, value: name)])),
        to: "/counter", session: Identifier(), window: nil)
    }

    let events = noted.withLock { $0 }
    let forms = events.map { if case .posts(let form, _) = $0 { form } else { "" } }
    #expect(forms == ["unknown", FormField.undo, "increment"])
    #expect("\(events)".utf8.count < 2_000)
  }

  @Test func `the numbers continue after all visits are removed`() {
    var visits = Newest<VisitEntry>()
    visits.append { VisitEntry(id: $0, visit: Self.visit("/"), entry: 0) }
    visits.removeAll()
    visits.append { VisitEntry(id: $0, visit: Self.visit("/"), entry: 0) }

    #expect(visits.all.map(\.id) == [2])
    #expect(visits.bytes == visits.all.first?.bytes)
  }
}
