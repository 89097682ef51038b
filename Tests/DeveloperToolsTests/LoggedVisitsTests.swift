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
    var visits = LoggedVisits()
    for number in 0..<(LoggedVisits.countLimit + 5) {
      visits.append(Self.visit("/\(number)"), after: 0)
    }

    #expect(visits.all.count == LoggedVisits.countLimit)
    #expect(visits.all.first?.visit.url == "/5")
    #expect(visits.all.first?.id == 6)
  }

  @Test func `the visits are bounded in bytes, whatever browsers send`() {
    var visits = LoggedVisits()
    let long = String(repeating: "é", count: 1 << 20)
    for _ in 0..<LoggedVisits.countLimit {
      visits.append(Self.visit("/\(long)", .posts(form: long, refusal: long)), after: 0)
    }

    #expect(visits.bytes <= LoggedVisits.byteLimit)
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
    var visits = LoggedVisits()
    visits.append(Self.visit("/"), after: 0)
    visits.removeAll()
    visits.append(Self.visit("/"), after: 0)

    #expect(visits.all.map(\.id) == [2])
    #expect(visits.bytes == visits.all.first?.bytes)
  }
}
