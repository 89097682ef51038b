public import Foundation
public import ImmutableData
public import ImmutableRuntime
import ImmutableUI
public import Logging
import Synchronization

/// Lets visitors report problems. A report is a recording of what they did in the last minute, for
/// a ``Replay``. It contains pseudonyms instead of what people enter, and visitors see it before
/// they send it.
///
/// ```swift
/// let reporter = try Reporter(
///   store, reducer: AppReducer.reduce, in: URL(filePath: "reports"), logger: logger)
/// try reporter.follow(windows)
/// configuration.reports = reporter.pages
/// ```
public final class Reporter<State, Action>: Sendable
where State: Codable & Redactable & Sendable, Action: Codable & Redactable & Sendable {
  private typealias Journal = ReportJournal<State, Action>

  private let store: ImmutableData.Store<State, Action>
  private let redaction: Redaction<State, Action>
  private let drawer: ReportDrawer
  /// Where reports are made and written.
  private let thread = DiskThread("reporter")
  private let journal = Mutex(Journal())
  private let group = WeakGroup()
  /// The number of upcasters for its actions and states.
  private let form: Int

  /// Starts to keep recent actions and visits in memory: at most ten minutes, and about 16 MB.
  ///
  /// - Parameters:
  ///   - store: The products' store.
  ///   - reducer: Its reducer, which reduces the actions of a report again, with pseudonyms.
  ///   - folder: The folder for reports. It is created if it does not exist.
  ///   - upcasters: Those of this release, so that later ones know what it wrote.
  ///   - logger: Receives a message for each report.
  /// - Throws: ``RecordingError`` if the folder cannot be made.
  @MainActor public init(
    _ store: ImmutableData.Store<State, Action>,
    reducer: @escaping @Sendable (State, Action) throws -> State,
    in folder: URL,
    upcasters: [Upcaster] = [],
    logger: Logger
  ) throws {
    self.store = store
    self.form = upcasters.count
    self.redaction = Redaction(Pseudonyms(), reducer)
    self.drawer = try ReportDrawer(folder, logger)
    store.record { [weak self] dispatch in
      self?.journal.withLock { $0.add(.dispatch(dispatch)) }
    } didSkip: { [weak self] _, _ in
      // A report is replayed from the state before its first action.
      self?.journal.withLock { $0 = ReportJournal() }
    }
  }

  /// Starts to keep what visitors do. Call it once, before the first window joins.
  ///
  /// - Parameter windows: The windows of the store. They are not retained.
  /// - Throws: `TemplateError` if the template of the form does not compile.
  public func follow(_ windows: WindowGroup) throws {
    try windows.prepare(ReportForm.self)
    self.group.windows = windows
    windows.recordVisits(except: DeveloperState.name) { [weak self] visit in
      self?.journal.withLock { $0.add(.visit(visit)) }
    }
  }

  /// The pages that a server has to answer.
  public var pages: ReportPages {
    ReportPages(
      path: ReportForm.path,
      page: { try self.page(for: $0, $1, $2) },
      submit: { visitor, fields in
        try await self.keep(fields, of: visitor)
        return "\(ReportForm.path)?\(ReportForm.sent)=yes"
      }
    )
  }
}

extension Reporter {
  private func page(
    for visitor: ReportPages.Visitor,
    _ query: Query,
    _ refused: RefusedSubmission?
  ) throws -> PageContent {
    guard let windows = self.group.windows else { throw RecordingError("there are no windows") }
    try windows.prepare(ReportForm.self)
    let isSent = query[ReportForm.sent] != nil && refused == nil
    let form = isSent ? ReportForm.thanks : self.form(for: visitor, refused, windows)
    return try windows.page(
      of: form,
      in: ReportForm.State(),
      title: "Report a problem",
      at: ReportForm.path,
      refused: refused.map { refused in
        // What is shown is what will be sent next, even if something else was to be sent before.
        let span = QueryItem(
          name: ReportForm.spanField.name, value: form.span?.description ?? "")
        let fields = FormFields(refused.fields.query.setting([span]))
        return RefusedSubmission(form: refused.form, fields: fields, refusal: refused.refusal)
      }
    )
  }

  private func form(
    for visitor: ReportPages.Visitor,
    _ refused: RefusedSubmission?,
    _ windows: WindowGroup
  ) -> ReportForm {
    let (span, entries) = self.journal.withLock { journal in
      // The same span is shown again, for as long as it is kept.
      let old = refused.flatMap { $0.fields[ReportForm.spanField.name] }.flatMap(ReportSpan.init)
      let span = old.flatMap { journal.entries(of: $0) == nil ? nil : $0 } ?? journal.span()
      return (span, journal.entries(of: span)?.entries ?? [])
    }
    let pseudonyms = self.pseudonyms(of: span, for: visitor)
    let excerpt = ReportExcerpt(
      of: entries,
      for: visitor.session,
      action: { self.redaction.action($0, pseudonyms.callAsFunction) },
      pages: ReportExcerpt.Pages(
        title: { windows.title(of: $0.url) },
        url: {
          windows.url($0.url, environment: $0.environment, redacted: pseudonyms.callAsFunction)
        }
      )
    )
    return ReportForm(excerpt: excerpt, span: span, timeZone: visitor.environment.timeZone)
  }

  /// - Throws: ``Refusal``; nothing is saved then.
  private func keep(_ fields: FormFields, of visitor: ReportPages.Visitor) async throws {
    let report = try ReportForm.send.action(fields)
    let token = fields[FormField.token].flatMap { $0.isEmpty ? nil : $0 }
    let submission = token.map { Submission.tag(of: $0, at: ReportForm.path) }
    // The answer may have got lost.
    guard await self.drawer.hasSaved(submission, of: visitor) == false else { return }
    let newest = self.store.snapshot()
    guard let span = report.span,
      let (entries, next) = self.journal.withLock({ $0.entries(of: span) }),
      let windows = self.group.windows
    else {
      throw Refusal(
        .conflict,
        "That was a while ago. Here is what would be sent now: look at it, and send again.")
    }
    let redaction = self.redaction.with(self.pseudonyms(of: span, for: visitor))
    let dispatches = (entries + (next.map { [$0] } ?? [])).compactMap { entry in
      if case .dispatch(let dispatch) = entry.event { dispatch } else { nil }
    }
    let state = dispatches.first?.oldState ?? newest.state
    let version = dispatches.first.map { max($0.version, 1) - 1 } ?? newest.version
    try await withTaskExecutorPreference(self.thread) {
      try await self.drawer.keep(of: visitor, submission) {
        var writer = try ReportWriter(
          redaction, windows, from: state, version: version, form: self.form,
          RecordedReport(time: .now, description: report.description))
        return try writer.data(of: entries, for: visitor.session)
      }
    }
  }

  /// The same when it is shown and when it is sent.
  private func pseudonyms(of span: ReportSpan, for visitor: ReportPages.Visitor) -> Pseudonyms {
    Pseudonyms(named: "\(visitor.session.text) \(span)", of: self.redaction.pseudonyms)
  }
}
