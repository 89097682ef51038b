public import HTMLTemplates
public import ImmutableRuntime
public import ImmutableUI
import Synchronization

/// Drives real windows and frames without sockets, for tests of products.
///
/// ```swift
/// let app = try TestApp(templates: TemplateLibrary(directory: "Templates")) {
///   Provider(store) { Content.page() }
/// }
/// let window = try await app.open("/counter")
/// let other = try await app.open("/counter")
/// try await window.submit("increment")
/// try await other.expect("Value: 1")
/// try await app.finish()
/// ```
///
/// It is strict: a push that the test did not expect makes ``finish()`` fail, also if an effect that
/// the test has not waited for causes it. Each memo hit, and each action that a filter rejected, is
/// recomputed and compared. Each action of a store that is no scope is reduced twice, to find a
/// reducer that reads a clock or a random source. In the end, each visited page is rendered again,
/// also with other local state, to find selectors that capture something which is not in their id.
public final class TestApp: Sendable {
  /// The windows and frames themselves.
  public let windows: WindowGroup
  let streams = TestStreams()
  /// The URLs that windows have shown, and their environments. Bounded by the test.
  private let visits = Mutex<Set<WindowVisit>>([])

  /// - Parameters:
  ///   - templates: Where the template files are.
  ///   - configuration: Limits.
  ///   - providers: Stores with their pages.
  /// - Throws: `TemplateError` for the first template that does not compile.
  public init(
    templates: TemplateLibrary,
    configuration: WindowGroup.Configuration = WindowGroup.Configuration(),
    @ProviderBuilder providers: @Sendable () -> [Provider]
  ) throws {
    var configuration = configuration
    configuration.isAuditing = true
    let providers = providers()
    self.windows = try WindowGroup(templates: templates, configuration: configuration) {
      providers
    }
  }

  /// Opens a window, as a browser does: the page first, then the stream.
  ///
  /// - Parameters:
  ///   - url: Path and query.
  ///   - session: The browser of the window; `nil` for a new browser.
  ///   - environment: The environment of the window, while it is open. If it has no visitor, each
  ///     session has its own.
  /// - Throws: ``WindowTestError`` if the page does not exist, or does not appear.
  public func open(
    _ url: String,
    session: Identifier = Identifier(),
    environment: WindowEnvironment = WindowEnvironment()
  ) async throws -> TestWindow {
    let environment = WindowEnvironment(
      timeZone: environment.timeZone,
      date: environment.date,
      visitor: environment.visitor ?? Visitor(rawValue: session.text)
    )
    let streams = self.streams
    self.windows.connect(reports: streams.reports, streams.perform)
    var (url, page) = (url, try await self.page(url, session, environment))
    if case .redirect(let location) = page {
      url = location
      page = try await self.page(location, session, environment)
    }
    guard case .content(let content) = page else {
      throw WindowTestError("\(url) redirects without end")
    }
    let stream = Identifier()
    _ = try self.windows.openStream(stream, session: session)
    self.streams.open(stream)
    let window = TestWindow(
      app: self,
      session: session,
      environment: environment,
      stream: stream,
      url: url,
      title: content.title,
      page: String(decoding: content.html, as: UTF8.self)
    )
    try await window.join()
    return window
  }

  /// Makes the pending frame, and checks the results of the audit.
  ///
  /// - Throws: ``WindowTestError`` if a selector kept an outdated output, or the reducer is not pure.
  public func frame() async throws {
    await self.windows.frame()
    try self.checkAudits()
  }

  /// Waits until the running effects have ended, and makes the pending frame.
  ///
  /// - Throws: ``WindowTestError`` that names the effects that do not end within a minute.
  public func settle() async throws {
    guard await self.windows.finishEffects(within: .seconds(60)) else {
      let names = await self.windows.effectNames
      throw WindowTestError(
        names.isEmpty
          ? "an action or a post is still in progress after a minute"
          : "these effects have not ended after a minute: \(names.joined(separator: ", "))"
      )
    }
    try await self.frame()
  }

  /// Waits as ``settle()`` does, and checks that every push was expected, and that the selectors of
  /// the visited pages have everything that they capture in their ids.
  ///
  /// - Throws: ``WindowTestError`` with the unexpected pushes, with the effects that do not end, or
  ///   with the selectors.
  public func finish() async throws {
    try await self.settle()
    self.windows.auditSelectors(of: self.visits.withLock(\.self))
    try self.checkAudits()
    // A window that shows nothing new is still told its version, which is no change to expect.
    let unexpected = self.streams.takeAll().filter { $0.event != "version" }
    guard unexpected.isEmpty else {
      throw WindowTestError(
        "nobody expected these pushes:\n" + unexpected.map(\.description).joined(separator: "\n")
      )
    }
  }

  func didVisit(_ url: String, in environment: WindowEnvironment) {
    self.visits.withLock { _ = $0.insert(WindowVisit(url: url, environment: environment)) }
  }

  /// - Throws: ``WindowTestError`` for what the audits have found.
  private func checkAudits() throws {
    let findings = self.windows.takeAuditFindings()
    guard findings.isEmpty else {
      throw WindowTestError(findings.joined(separator: "\n"))
    }
  }

  private func page(
    _ url: String,
    _ session: Identifier,
    _ environment: WindowEnvironment
  ) async throws -> PageAnswer {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return try await self.windows.page(
      String(parts.first ?? ""),
      query: Query(parts.dropFirst().first ?? ""),
      session: session,
      environment: environment,
      makeToken: { "TOKEN" }
    )
  }
}

/// Why a test of windows fails, as a message for its author.
public struct WindowTestError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
