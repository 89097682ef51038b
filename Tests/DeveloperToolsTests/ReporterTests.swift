import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import TestSupport
import Testing

@testable import DeveloperTools

private struct Notebook: Codable, Redactable, StoreState {
  enum Action: Codable, Impersonal, Sendable { case nothing }

  var text = ""

  /// Whether it was redacted on a thread of its own, each time.
  static let redactions = Transcript<Bool>()

  func redacted(_ pseudonym: (String) -> String) -> Self {
    Self.redactions.append(withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil })
    return self
  }
}

@MainActor struct ReporterTests {
  private static func span(of page: PageContent) throws -> String {
    let html = String(decoding: page.html, as: UTF8.self)
    return String(try #require(html.firstMatch(of: /name="span" value="([^"]+)"/)).output.1)
  }

  @Test(arguments: [(bytes: 1, isSaved: true), (bytes: 32 << 20, isSaved: false)])
  func `a report of more than 32 MB is not saved`(bytes: Int, isSaved: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = String(repeating: "x", count: bytes)
    let store = ImmutableData.Store<Notebook, Notebook.Action>(
      initialState: Notebook(text: text)
    ) { state, _ in state }
    let reporter = try Reporter(
      store, reducer: { state, _ in state }, in: folder, logger: Logger(label: "test"))
    let counter = ImmutableData.Store(
      initialState: CounterState(), reducer: CounterReducer.reduceOrRefuse)
    let windows = try WindowGroup(templates: .project) {
      Provider(counter) { CounterUI.Content.page() }
    }
    try reporter.follow(windows)
    let visitor = ReportPages.Visitor(
      session: Identifier(), network: "192.0.2.1", environment: WindowEnvironment(timeZone: .gmt))
    let span = try Self.span(of: reporter.pages.page(visitor, Query(), nil))
    let fields = FormFields(
      Query([
        QueryItem(name: FormField.form, value: "report"), QueryItem(name: "span", value: span),
        QueryItem(name: "description", value: "It is slow."),
      ]))

    let refusal = await Self.refusal { _ = try await reporter.pages.submit(visitor, fields) }

    #expect((refusal == nil) == isSaved)
    // Not on a thread that runs tasks, because the disk may hang.
    #expect(Set(Notebook.redactions.entries) == [true])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).count == (isSaved ? 1 : 0))
  }

  private static func refusal(_ work: () async throws -> Void) async -> Refusal? {
    do {
      try await work()
      return nil
    } catch {
      return error as? Refusal
    }
  }
}
