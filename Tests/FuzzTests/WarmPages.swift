import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI
import TestSupport

@testable import ImmutableRuntime
@testable import WindowTesting

/// Whether a server that has been running for a while shows what a server that has just started in
/// the same state would show.
///
/// Windows and pages of the same server share what selectors, regions and rows have kept. So if that
/// is out of date, they agree with each other, and only a server without it shows the difference.
struct WarmPages {
  /// A product, and what happens to it.
  struct Subject: Sendable {
    typealias Root = Store<Products, ProductsAction>

    let templates: TemplateLibrary
    let provide: @MainActor @Sendable (Root) -> Provider
    let begin: @Sendable (inout SeededGenerator) -> Products
    let actions: @Sendable (inout SeededGenerator, Products) -> [ProductsAction]
    /// Actions that make the rows of a state those of an older state.
    let restore: @Sendable (Products, Products) -> [ProductsAction]
    let url: @Sendable (inout SeededGenerator) -> String
  }

  /// What a run has reached, to see that it would have found something.
  struct Coverage {
    /// Pages that were compared with those of a server without memory.
    var pages = 0
    /// Those among them that this server had shown before, in another state, with another content.
    var changedPages = 0
    /// Windows that were compared.
    var windows = 0
    /// Those among them that were sent something since the last time.
    var patchedWindows = 0
    /// Pages in past states.
    var pastPages = 0
    /// Windows that were sent something after their streams had been held up, or lost.
    var caughtUp = 0
    var memoHits = 0
    var filterRefusals = 0
  }

  private struct Window {
    let window: TestWindow
    let environment: WindowEnvironment
    var isHeld = false
    var wasBehind = false
  }

  private static let environments = [
    WindowEnvironment(date: Inputs.date),
    WindowEnvironment(
      timeZone: TimeZone(identifier: "Asia/Kathmandu") ?? .gmt,
      date: Inputs.date.addingTimeInterval(86_400)),
  ]

  private let subject: Subject
  private let root: Subject.Root
  private let app: TestApp
  private var windows: [Window] = []
  /// Some earlier states.
  private var past: [Products] = []
  private var shown: [String: String] = [:]
  private var urls: [String] = []
  private var now = ContinuousClock.now
  private(set) var coverage = Coverage()

  init(_ subject: Subject, using generator: inout SeededGenerator) async throws {
    self.subject = subject
    let state = subject.begin(&generator)
    (self.root, self.app) = try await Self.start(subject, in: state)
  }

  private static func start(
    _ subject: Subject,
    in state: Products
  ) async throws -> (Subject.Root, TestApp) {
    var configuration = WindowGroup.Configuration()
    // Nobody answers.
    configuration.appearTimeout = .zero
    let root = await Store(initialState: state, reducer: Products.reduce)
    let provider = await subject.provide(root)
    let app = try TestApp(templates: subject.templates, configuration: configuration) { provider }
    return (root, app)
  }

  /// Does a number of things, and compares in between and at the end.
  mutating func run(steps: Int, using generator: inout SeededGenerator) async throws {
    for _ in 0..<steps { try await self.step(&generator) }
    await self.root.show(nil)
    try await self.compareAll(&generator)
    let counts = self.app.windows.counts
    (self.coverage.memoHits, self.coverage.filterRefusals) = (
      counts.memoHits, counts.filterRefusals
    )
  }

  private mutating func step(_ generator: inout SeededGenerator) async throws {
    switch Int.random(in: 0..<24, using: &generator) {
    case 0..<7:
      let count = generator.once(in: 4) ? Int.random(in: 2...8, using: &generator) : 1
      for _ in 0..<count { try await self.act(&generator) }
    case 7, 8: try await self.goAndComeBack(&generator)
    case 9..<12: try await self.app.frame()
    case 12..<14:
      try await self.visit(self.url(&generator), generator.pick(Self.environments))
    case 14 where self.windows.count < 5:
      let environment = generator.pick(Self.environments)
      let window = try await self.app.open(self.url(&generator), environment: environment)
      self.windows.append(Window(window: window, environment: environment))
    case 15 where self.windows.isEmpty == false:
      let index = Int.random(in: 0..<self.windows.count, using: &generator)
      try await self.windows.remove(at: index).window.leave()
    case 16 where generator.once(in: 3): try await self.leaveAll()
    case 17 where self.windows.isEmpty == false:
      let index = Int.random(in: 0..<self.windows.count, using: &generator)
      guard self.windows[index].isHeld == false else { return }
      try await self.windows[index].window.navigate(to: self.url(&generator))
    case 18 where self.windows.isEmpty == false:
      let index = Int.random(in: 0..<self.windows.count, using: &generator)
      if generator.once(in: 3), self.windows[index].isHeld == false {
        try await self.windows[index].window.rejoin()
      } else {
        self.windows[index].isHeld.toggle()
        await self.windows[index].window.hold(self.windows[index].isHeld)
      }
      self.windows[index].wasBehind = true
    case 19:
      // Unused renders are evicted.
      self.now += .seconds(generator.pick([1, 11]))
      await self.app.windows.tick(now: self.now)
    case 20 where self.past.isEmpty == false:
      try await self.comparePast(
        self.url(&generator), generator.pick(self.past), &generator)
    case 21 where self.past.isEmpty == false && generator.once(in: 4):
      await self.root.show(generator.once(in: 2) ? generator.pick(self.past) : nil)
    case 22: try await self.compareAll(&generator)
    default:
      try await self.comparePage(
        self.url(&generator), generator.pick(Self.environments))
    }
  }

  /// Usually one that was there before, of which something may be kept.
  private mutating func url(_ generator: inout SeededGenerator) -> String {
    if self.urls.count > 3, generator.once(in: 3) == false { return generator.pick(self.urls) }
    let url = self.subject.url(&generator)
    self.urls = self.urls.suffix(3) + [url]
    return url
  }

  private mutating func act(_ generator: inout SeededGenerator) async throws {
    let state = self.root.snapshot().state
    if generator.once(in: 4) { self.past = self.past.suffix(5) + [state] }
    await self.dispatch(self.subject.actions(&generator, state))
  }

  private func dispatch(_ actions: [ProductsAction]) async {
    for action in actions {
      // It may be refused.
      _ = try? await self.root.dispatch(action: action)
    }
  }

  /// Changes rows between two windows, and changes them back while the second one is open, so that
  /// nothing differs from what the first one has shown.
  private mutating func goAndComeBack(_ generator: inout SeededGenerator) async throws {
    let environment = generator.pick(Self.environments)
    let (first, second) = (self.subject.url(&generator), self.subject.url(&generator))
    // Windows keep everything that they show up to date.
    if generator.once(in: 2) { try await self.leaveAll() }
    let window = try await self.app.open(
      generator.once(in: 2) ? second : first, environment: environment)
    try await self.act(&generator)
    try await self.app.frame()
    try await window.leave()
    let old = self.root.snapshot().state
    for _ in 0..<Int.random(in: 1...8, using: &generator) { try await self.act(&generator) }
    if generator.once(in: 2) { try await self.visit(second, environment) }
    if self.windows.count == 5 { try await self.windows.removeFirst().window.leave() }
    self.windows.append(
      Window(
        window: try await self.app.open(second, environment: environment),
        environment: environment))
    await self.dispatch(self.subject.restore(self.root.snapshot().state, old))
    try await self.compareAll(&generator)
  }

  private mutating func leaveAll() async throws {
    for window in self.windows { try await window.window.leave() }
    self.windows = []
  }

  /// A page that nobody compares.
  private func visit(_ url: String, _ environment: WindowEnvironment) async throws {
    let parts = url.split(separator: "?", maxSplits: 1)
    _ = try await self.app.windows.page(
      String(parts[0]), query: Query(parts.dropFirst().first ?? ""), environment: environment)
  }

  private mutating func compareAll(_ generator: inout SeededGenerator) async throws {
    let isPast = self.root.snapshot().isPast
    for index in self.windows.indices {
      await self.windows[index].window.hold(false)
      self.windows[index].isHeld = false
    }
    try await self.app.frame()
    for index in self.windows.indices {
      let (window, environment) = (self.windows[index].window, self.windows[index].environment)
      let url = window.url
      try await self.comparePage(url, environment)
      // The page may have requested something.
      try await self.app.frame()
      let pushes = try window.receive()
      // What windows refer to in the present may not exist in a past state.
      guard isPast == false else { continue }
      let cold = try await Self.start(self.subject, in: self.root.snapshot().state).1
      let expected = try await cold.open(window.url, environment: environment)
      try Self.require(window.url, expected.url, "the window at \(url) has the URL")
      try Self.require(window.title, expected.title, "the window at \(url) has the title")
      try Self.require(window.html, expected.html, "the window at \(url) shows")
      self.coverage.windows += 1
      if pushes.isEmpty == false { self.coverage.patchedWindows += 1 }
      if pushes.isEmpty == false, self.windows[index].wasBehind { self.coverage.caughtUp += 1 }
      self.windows[index].wasBehind = false
    }
  }

  private mutating func comparePage(_ url: String, _ environment: WindowEnvironment) async throws {
    let session = Identifier()
    let warm = try await self.app.open(url, session: session, environment: environment)
    let (root, cold) = try await Self.start(self.subject, in: self.root.snapshot().state)
    defer { withExtendedLifetime(root) {} }
    let expected = try await cold.open(url, session: session, environment: environment)
    try await warm.leave()
    // A past state shows nothing of what its pages fetch.
    if self.root.snapshot().isPast, root.snapshot().version > 0 { return }
    try Self.require(warm.url, expected.url, "the page \(url) leads to")
    try Self.require(warm.page, expected.page, "the page \(url) is")
    try Self.require(warm.html, expected.html, "a new window at \(url) shows")
    self.coverage.pages += 1
    let old = self.shown.updateValue(warm.page, forKey: "\(url) \(environment.timeZone)")
    if let old, old != warm.page { self.coverage.changedPages += 1 }
  }

  private mutating func comparePast(
    _ url: String,
    _ state: Products,
    _ generator: inout SeededGenerator
  ) async throws {
    let environment = generator.pick(Self.environments)
    let cold = try await Self.start(self.subject, in: Products()).1
    let warm = self.app.windows.page(url, in: state, environment: environment)
    let expected = cold.windows.page(url, in: state, environment: environment)
    try Self.require(
      warm.map { String(decoding: $0.html, as: UTF8.self) } ?? "",
      expected.map { String(decoding: $0.html, as: UTF8.self) } ?? "", "the past page \(url) is")
    self.coverage.pastPages += 1
  }

  /// - Throws: ``Finding`` with the first place where two texts differ.
  private static func require(_ text: String, _ expected: String, _ what: String) throws {
    guard Array(text.utf8) != Array(expected.utf8) else { return }
    let common = zip(text.utf8, expected.utf8).prefix { $0 == $1 }.count
    func part(_ text: String) -> String {
      String(decoding: text.utf8.dropFirst(max(common - 200, 0)).prefix(400), as: UTF8.self)
    }
    throw Finding("\(what)\n\(part(text))\nand without memory\n\(part(expected))\n", "")
  }
}
