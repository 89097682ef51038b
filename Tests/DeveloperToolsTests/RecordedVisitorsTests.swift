import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import Testing
import WindowTesting

@testable import DeveloperTools

private struct GuestBook: Codable, Redactable, StoreState {
  enum Action: Codable, Redactable, Sendable {
    case sign(Visitor)

    func redacted(_ pseudonym: (String) -> String) -> Self {
      switch self {
      case .sign(let visitor): .sign(visitor.redacted(pseudonym))
      }
    }
  }

  var guests: [Visitor] = []

  func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(guests: self.guests.map { $0.redacted(pseudonym) })
  }

  @Sendable static func reduce(state: Self, action: Action) -> Self {
    switch action {
    case .sign(let visitor): Self(guests: state.guests + [visitor])
    }
  }
}

private struct GuestList: Root, Presenter {
  typealias State = GuestBook

  struct Local: LocalState {
    private(set) var me: Visitor?

    static let parameters: [Parameter<Self>] = []

    mutating func resolve(in environment: WindowEnvironment) {
      self.me = environment.visitor
    }
  }

  @ImmutableUI.Selector<ImmutableData.Store<GuestBook, GuestBook.Action>, [Visitor]>(
    label: "guests", outputSelector: OutputSelector { $0.guests }
  ) private var guests
  private let me: Visitor?

  init(_ local: Local) {
    self.me = local.me
  }

  private static let sign = Form<GuestBook.Action>("sign", .repeatable, fields: .visitor) {
    .sign($0)
  }

  static let template = Template<Self>(
    named: "GuestList",
    [
      .form("sign", Self.sign),
      .text("own") { model in model.guests.count { $0 == model.me } },
    ])
}

/// Recordings of pages that depend on who looks at them.
@MainActor struct RecordedVisitorsTests {
  // A long word, so that no pseudonym has it by chance.
  private static let name = "Confidential"
  private static let templates = [
    "GuestList": "{{#sign}}<button>Sign</button>{{/sign}}<p>{{own}} of mine</p>"
  ]

  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
  private let store = ImmutableData.Store(initialState: GuestBook(), reducer: GuestBook.reduce)
  private let session = Identifier()

  private func windows(
    _ others: [String: String] = [:],
    of store: ImmutableData.Store<GuestBook, GuestBook.Action>? = nil
  ) throws -> TestApp {
    let templates = Self.templates.merging(others) { own, _ in own }
    return try TestApp(templates: TemplateLibrary(sources: templates)) {
      Provider(store ?? self.store) { Page(GuestList.self, at: "/guests", title: "Guests") }
    }
  }

  private func visit(_ app: TestApp) async throws {
    let window = try await app.open(
      "/guests", session: self.session,
      environment: WindowEnvironment(visitor: Visitor(rawValue: Self.name)))
    try await window.submit("sign")
    try await window.expect("1 of mine")
  }

  private func record(_ privacy: RecordingPrivacy<GuestBook, GuestBook.Action>) async throws
    -> Replay<GuestBook, GuestBook.Action>.Outcome
  {
    let recorder = try Recorder(
      self.store, to: self.file, privacy: privacy, logger: Logger(label: "test"))
    let app = try self.windows()
    recorder.follow(app.windows)
    try await self.visit(app)
    await recorder.finish()
    return try Replay(
      initialState: GuestBook(), reducer: GuestBook.reduce, windows: try self.windows().windows
    ).compare(self.file).outcome
  }

  @Test func `a page is replayed for the visitor who saw it`() async throws {
    defer { try? FileManager.default.removeItem(at: self.file) }

    let outcome = try await self.record(.raw)

    guard case .same(actions: 1, pages: 2) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `a visit of a recording has the visitor who made it`() async throws {
    defer { try? FileManager.default.removeItem(at: self.file) }
    let visitors = ["ann", "bob"].map { Visitor(rawValue: $0) }
    let recorder = try Recorder(
      self.store, to: self.file, privacy: .raw, logger: Logger(label: "test"))
    let app = try self.windows()
    recorder.follow(app.windows)
    for visitor in visitors {
      _ = try await app.open("/guests", environment: WindowEnvironment(visitor: visitor))
    }
    await recorder.finish()

    let viewer = try RecordingViewer(
      self.file, Replay(initialState: GuestBook(), reducer: GuestBook.reduce), name: "a.jsonl")
    try await viewer.load(into: self.windows(of: viewer.store).windows)

    let visits = viewer.developer.store.snapshot().state.visits.all.map(\.visit)
    #expect(Dictionary(grouping: visits, by: \.browser).count == 2)
    #expect(Set(visits.map(\.environment.visitor)) == Set(visitors.map(Optional.some)))
  }

  @Test func `a recording with pseudonyms contains no visitor`() async throws {
    defer { try? FileManager.default.removeItem(at: self.file) }

    let outcome = try await self.record(.pseudonyms(GuestBook.reduce))

    #expect(try String(contentsOf: self.file, encoding: .utf8).contains(Self.name) == false)
    guard case .same(actions: 1, pages: _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `a report shows what is the visitor's own, and contains no visitor`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let reporter = try Reporter(
      self.store, reducer: GuestBook.reduce, in: folder, logger: Logger(label: "test"))
    let name = "DeveloperTools/ReportForm"
    let template = TemplateLibrary.projectFolder.appending(path: "\(name).mustache")
    let app = try self.windows([name: String(contentsOf: template, encoding: .utf8)])
    try reporter.follow(app.windows)
    try await self.visit(app)
    let visitor = ReportPages.Visitor(
      session: self.session, network: "192.0.2.1", environment: WindowEnvironment())
    let form = String(
      decoding: try reporter.pages.page(visitor, Query(), nil).html, as: UTF8.self)
    let span = try #require(form.firstMatch(of: /name="span" value="([^"]+)"/)).output.1

    _ = try await reporter.pages.submit(
      visitor,
      FormFields(
        Query([
          QueryItem(name: FormField.form, value: "report"),
          QueryItem(name: "span", value: String(span)),
          QueryItem(name: "description", value: "It is slow."),
        ])))

    let file = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let report = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    #expect(report.contains("1 of mine"))
    #expect(report.contains(Self.name) == false)
    #expect(form.contains(Self.name) == false)
  }
}
