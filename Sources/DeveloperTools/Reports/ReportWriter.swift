import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// Writes a report: a recording that begins with the state before the span and contains only
/// pseudonyms.
///
/// Its pages are rendered for the report, from the states with pseudonyms, so that a replay shows
/// the same. It contains what other visitors did, because states depend on it, but not where it
/// came from.
struct ReportWriter<State: Codable & Sendable, Action: Codable & Sendable> {
  /// The maximum size of a report, in bytes.
  static var limit: Int { 32 << 20 }
  /// The maximum number of pages that are rendered as they were when opened. Only the newest are;
  /// the others are recorded only as visits.
  static var pageLimit: Int { 40 }

  let redaction: Redaction<State, Action>
  let windows: WindowGroup

  private var data = Data()
  private var states: RedactedStates<State, Action>
  private var version: UInt64
  private var digest: StateDigest
  /// The pages that the visitor has open, by the window that shows them.
  private var places: [String: RecordedPage] = [:]
  private var placeCount = 0
  private var tags = RecordedTags()
  private let names = RecordedNames()

  /// - Parameters:
  ///   - state: The state before the span, as it was.
  ///   - version: The version of the state.
  ///   - form: The number of upcasters.
  ///   - report: The visitor's description.
  init(
    _ redaction: Redaction<State, Action>,
    _ windows: WindowGroup,
    from state: State,
    version: UInt64,
    form: Int,
    _ report: RecordedReport
  ) throws {
    self.redaction = redaction
    self.windows = windows
    self.states = RedactedStates(from: state, redaction)
    self.version = version
    self.digest = StateDigest(of: self.states.newest)
    try self.write(
      RecordingHeader(
        format: RecordingFormat.number, digest: self.digest.text, form: form, report: report))
    try self.write(
      CheckpointLine(checkpoint: self.states.newest, version: version, digest: self.digest.text))
  }

  /// - Parameters:
  ///   - entries: The entries of the span.
  ///   - session: The visitor's session.
  /// - Returns: The whole file.
  /// - Throws: ``RecordingError`` if it is too large; otherwise the error of the write.
  /// - Complexity: O(n), n parts of the state and of the pages, besides the actions.
  mutating func data(
    of entries: [ReportJournal<State, Action>.Entry],
    for session: Identifier
  ) throws -> Data {
    let own = ReportVersions(of: entries, session)
    var rendered = entries.count { Self.isOpening($0, by: session) }
    for entry in entries {
      switch entry.event {
      case .dispatch(let dispatch):
        try self.write(dispatch, entry.time, isOwn: own.contain(dispatch))
      case .visit(let visit) where visit.session == session:
        let url = self.url(of: visit)
        try self.write(
          VisitLine(
            visit: RecordedVisit(
              visit, url: url, environment: self.environment(of: visit), time: entry.time,
              names: self.names)))
        guard Self.isOpening(entry, by: session) else { continue }
        if rendered <= Self.pageLimit { try self.open(visit, url) }
        rendered -= 1
      case .visit: continue
      }
    }
    try self.showPagesAgain()
    return self.data
  }

  private static func isOpening(
    _ entry: ReportJournal<State, Action>.Entry,
    by session: Identifier
  ) -> Bool {
    guard case .visit(let visit) = entry.event, visit.event.isPosted == false else { return false }
    return visit.session == session
  }

  private func url(of visit: Visit) -> String {
    self.windows.url(
      visit.url, environment: visit.environment,
      redacted: self.redaction.pseudonyms.callAsFunction)
  }

  private func environment(of visit: Visit) -> WindowEnvironment {
    visit.environment.redacted(self.redaction.pseudonyms.callAsFunction)
  }

  private mutating func write(
    _ dispatch: Dispatch<State, Action>,
    _ time: Date,
    isOwn: Bool
  ) throws {
    let redacted = self.states.follow(dispatch)
    if case .success(let new) = redacted.result {
      self.digest.follow(from: redacted.oldState, to: new)
    }
    self.version = dispatch.version
    let isVisitors = if case .form = dispatch.origin { true } else { false }
    try self.write(
      RecordedAction(
        redacted, digest: self.digest.text, time: time, hasOrigin: isOwn || isVisitors == false))
  }

  /// A window that shows another page no longer shows its previous page.
  private mutating func open(_ visit: Visit, _ url: String) throws {
    let window = visit.window?.text ?? ""
    if let old = self.places[window] {
      try self.write(RecordedPage(place: old.place, version: self.version, tags: nil))
    }
    self.placeCount += 1
    let beginning = RecordedPage.Beginning(url, self.environment(of: visit))
    self.places[window] = try self.show(beginning, at: self.placeCount, begins: true)
  }

  /// The pages as they were at the end.
  private mutating func showPagesAgain() throws {
    for page in self.places.values.sorted(by: { $0.place < $1.place }) {
      guard let beginning = page.begins else { continue }
      _ = try self.show(beginning, at: page.place, begins: false)
    }
  }

  private mutating func show(
    _ beginning: RecordedPage.Beginning,
    at place: Int,
    begins: Bool
  ) throws -> RecordedPage? {
    let regions = self.windows.regions(
      beginning.url, in: self.states.newest, environment: beginning.environment)
    guard let regions else { return nil }
    // A replay compares tags; the HTML only shows a difference. So it never makes a report too large.
    for region in regions
    where self.data.count + 2 * region.html.utf8.count < Self.limit / 2
      && self.tags.insert(region.tag)
    {
      try self.write(RecordedPiece(region.tag, html: region.html.utf8))
    }
    let tags = Dictionary(regions.map { ($0.name, Optional($0.tag.text)) }) { first, _ in first }
    let old = self.places.values.first { $0.place == place }?.tags ?? [:]
    let gone = old.filter { tags[$0.key] == nil }.mapValues { _ in String?.none }
    try self.write(
      RecordedPage(
        place: place,
        version: self.version,
        begins: begins ? beginning : nil,
        tags: tags.merging(begins ? [:] : gone) { tag, _ in tag }
      ))
    return RecordedPage(place: place, version: self.version, begins: beginning, tags: tags)
  }

  private mutating func write(_ line: some Encodable) throws {
    self.data += try RecordingFormat.encode(line)
    guard self.data.count <= Self.limit else { throw RecordingError("the report is too large") }
  }
}
