import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// The format of a recording.
public enum RecordingFormat {
  /// The default maximum size of a recording, in bytes.
  public static let limit = 256 << 20
  static let number = 6
  /// The first format with the content of pages, and with payloads that are written once.
  static let firstWithPieces = 5
  /// The first format whose digests are those of ``StateDigest``. Before it, some equal states had
  /// different digests, and the text "nil" had that of no text.
  static let firstWithTheseDigests = 6
  /// The formats that can be read. Format 2 has no checkpoints, format 3 has no visits, format 4 has
  /// each payload every time, but no content of pages, and format 5 has other digests.
  static let readable = 2...6
  /// The maximum size of a region's content that is put together from pieces, in bytes, and what
  /// each piece counts in addition.
  static let contentLimit = 64 << 20
  static let contentOverhead = 1_000
  /// No store gets this far, and the versions after it can still be counted.
  static let versionLimit = UInt64(Int64.max)
  /// The maximum number of entries that wait to be written, and their maximum size with the content
  /// of pages in them, in bytes of memory. Content that pages share counts once. Beyond it,
  /// recording ends.
  static let waitingLimit = 10_000
  static let waitingBytes = 256 << 20
  /// How long a writer waits for more entries, so that it writes several at once.
  static let pause = Duration.milliseconds(20)

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// A line, including its line break.
  static func encode(_ line: some Encodable) throws -> Data {
    var data = try Self.encoder.encode(line)
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// The lines of a file, without their ends. Anything after the last line end is ignored.
  ///
  /// - Throws: ``RecordingError`` if the file cannot be read.
  static func lines(of url: URL) throws -> [Data] {
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw RecordingError("\(url.path) cannot be read.")
    }
    let lineEnd = UInt8(ascii: "\n")
    guard let end = data.lastIndex(of: lineEnd) else { return [] }
    return data[..<end].split(separator: lineEnd, omittingEmptySubsequences: false)
  }
}

/// The error of a recording or a replay.
public struct RecordingError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The first line of a recording.
struct RecordingHeader: Codable {
  let format: Int
  /// The digest of the state before the first action.
  let digest: String
  /// The number of ``Upcaster``s at the time of the recording; `nil` for none.
  var form: Int?
  /// `nil` if it is not a report.
  var report: RecordedReport?

  /// Whether its digests are not comparable with those of this program.
  var hasOtherDigests: Bool { self.format < RecordingFormat.firstWithTheseDigests }
}

/// The report of a visitor.
struct RecordedReport: Codable {
  let time: Date
  /// In the visitor's words.
  let description: String
}

/// Makes names that tell visitors and windows apart, as identifiers. They reveal nothing, because a
/// client that knows the id of a window or a session can impersonate it.
struct RecordedNames: Sendable {
  private let key: (UInt64, UInt64)

  /// Makes names with a new key.
  init() {
    self.key = (.random(in: 0...(.max)), .random(in: 0...(.max)))
  }

  func callAsFunction(_ identifier: Identifier) -> String {
    var hasher = TagHasher(key: self.key)
    hasher.combine(identifier.text)
    return hasher.finalize().text
  }
}

/// Something that a visitor did.
struct RecordedVisit: Codable {
  let time: Date
  /// Names that distinguish visitors and windows. They are made for each recording and identify
  /// nobody.
  let visitor: String
  /// `nil` for a page that is not live yet, or never becomes live.
  let window: String?
  /// The URL of the page.
  let url: String
  /// How the page was shown; `nil` in recordings of older releases.
  let shown: Shown?
  /// The version of the newest action at that time; for an accepted form, the version of its
  /// action.
  let version: UInt64
  /// The form that was posted; `nil` if a page was opened.
  let form: String?
  /// Whether the form was refused; `nil` if none was posted.
  let isRefused: Bool?
  /// Whether the window navigated to the page in place; otherwise `nil`.
  var isNavigation: Bool?

  /// The environment of a page.
  struct Shown: Codable {
    let timeZone: String
    let date: Date
    /// `nil` if nobody was known.
    let visitor: Visitor?

    init(_ environment: WindowEnvironment) {
      self.timeZone = environment.timeZone.identifier
      self.date = environment.date
      self.visitor = environment.visitor
    }

    var environment: WindowEnvironment {
      WindowEnvironment(
        timeZone: TimeZone(identifier: self.timeZone) ?? .gmt, date: self.date,
        visitor: self.visitor)
    }
  }

  /// - Parameters:
  ///   - url: Its URL, as it should be recorded.
  ///   - environment: Its environment, as it should be recorded.
  init(
    _ visit: Visit,
    url: String,
    environment: WindowEnvironment,
    time: Date,
    names: RecordedNames
  ) {
    self.time = time
    self.shown = Shown(environment)
    self.visitor = names(visit.session)
    self.window = visit.window.map { names($0) }
    self.url = url
    self.version = visit.version
    switch visit.event {
    case .opens, .joins: (self.form, self.isRefused) = (nil, nil)
    case .navigates: (self.form, self.isRefused, self.isNavigation) = (nil, nil, true)
    case .posts(let form, let refusal): (self.form, self.isRefused) = (form, refusal != nil)
    }
  }
}

extension RecordedVisit {
  /// What the visitor did.
  var event: Visit.Event {
    if let form {
      // The message may have contained what the visitor had entered.
      return .posts(form: form, refusal: self.isRefused == true ? "it was refused" : nil)
    }
    if self.isNavigation == true { return .navigates }
    return self.window == nil ? .opens : .joins
  }
}

/// The line of a visit.
struct VisitLine: Codable {
  let visit: RecordedVisit
}

/// An action in a recording.
struct RecordedAction<Action: Codable>: Codable {
  let version: UInt64
  let time: Date
  /// `nil` if it is unknown.
  let origin: String?
  let action: Action
  /// `nil` if the action was accepted.
  var refusal: String?
  /// The digest of the state after it.
  var digest: String

  /// - Parameter hasOrigin: Whether the recording may contain its origin.
  init<State>(
    _ dispatch: Dispatch<State, Action>,
    digest: String,
    time: Date = .now,
    hasOrigin: Bool = true
  ) {
    self.version = dispatch.version
    self.time = time
    self.origin = hasOrigin ? dispatch.origin?.text : nil
    self.action = dispatch.action
    self.refusal = if case .failure(let error) = dispatch.result { "\(error)" } else { nil }
    self.digest = digest
  }
}

/// A change of the content that windows were sent.
struct RecordedPage: Codable {
  /// The content that windows show from now on.
  struct Beginning: Codable {
    let url: String
    let timeZone: String
    let date: Date
    /// `nil` if nobody was known.
    let visitor: Visitor?

    init(_ url: String, _ environment: WindowEnvironment) {
      self.url = url
      self.timeZone = environment.timeZone.identifier
      self.date = environment.date
      self.visitor = environment.visitor
    }

    var environment: WindowEnvironment {
      WindowEnvironment(
        timeZone: TimeZone(identifier: self.timeZone) ?? .gmt, date: self.date,
        visitor: self.visitor)
    }
  }

  /// The number of the place.
  let place: Int
  /// The version of the shown state.
  let version: UInt64
  /// `nil` if windows already showed the place before.
  let begins: Beginning?
  /// The tags of the changed regions, by name, with `nil` for regions that are gone. Empty if the
  /// recording must not contain the content. `nil` if no window shows the place any more.
  let tags: [String: String?]?

  private enum CodingKeys: CodingKey {
    case place, version, begins, tags
  }

  /// The line without the content of the page.
  ///
  /// - Parameter redact: Removes what is personal from a URL and its environment.
  /// - Returns: `nil` if nothing else remains.
  init?(_ page: ShownPage, redact: (String, WindowEnvironment) -> (String, WindowEnvironment)) {
    switch page.change {
    case .begins(let environment):
      let (url, environment) = redact(page.url, environment)
      self.init(
        place: page.place, version: page.version, begins: Beginning(url, environment), tags: [:])
    case .goesOn: return nil
    case .ends: self.init(place: page.place, version: page.version, tags: nil)
    }
  }

  init(_ page: ShownPage) {
    self.place = page.place
    self.version = page.version
    self.begins =
      if case .begins(let environment) = page.change {
        Beginning(page.url, environment)
      } else {
        nil
      }
    self.tags =
      if case .ends = page.change {
        nil
      } else {
        page.regions.mapValues { $0?.rendered.tag.text }
      }
  }

  init(place: Int, version: UInt64, begins: Beginning? = nil, tags: [String: String?]?) {
    self.place = place
    self.version = version
    self.begins = begins
    self.tags = tags
  }

  /// The same change at this version or a newer one. The product's own last action may be older.
  func since(_ version: UInt64) -> Self {
    Self(
      place: self.place, version: max(version, self.version), begins: self.begins, tags: self.tags)
  }

  /// The content that windows show after this change, as a change that begins a place.
  ///
  /// - Parameter old: The content that they showed before; `nil` if the place begins.
  /// - Returns: `nil` if no window shows it any more.
  func following(_ old: Self?) -> Self? {
    guard let tags = self.tags, let begins = self.begins ?? old?.begins else { return nil }
    var shown = (self.begins == nil ? old?.tags : nil) ?? [:]
    for (name, tag) in tags { shown[name] = tag.map(Optional.some) }
    return Self(place: self.place, version: self.version, begins: begins, tags: shown)
  }
}

/// A state in a recording, from which a replay can continue.
struct RecordedCheckpoint: Codable {
  /// The version of the newest action.
  let version: UInt64
  let digest: String
}

/// The line of a checkpoint, with the state.
struct CheckpointLine<State> {
  let checkpoint: State
  let version: UInt64
  let digest: String
}

extension CheckpointLine: Encodable where State: Encodable {}
extension CheckpointLine: Decodable where State: Decodable {}

/// A line after the header.
enum RecordedLine<Action: Codable>: Decodable {
  case action(RecordedAction<Action>)
  case page(RecordedPage)
  case checkpoint(RecordedCheckpoint)
  case visit(RecordedVisit)
  /// Content that other lines refer to.
  case piece

  private enum CodingKeys: CodingKey {
    case place, checkpoint, visit, html, parts
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self =
      if keys.contains(.place) {
        .page(try RecordedPage(from: decoder))
      } else if keys.contains(.checkpoint) {
        .checkpoint(try RecordedCheckpoint(from: decoder))
      } else if keys.contains(.visit) {
        .visit(try VisitLine(from: decoder).visit)
      } else if keys.contains(.html) || keys.contains(.parts) {
        .piece
      } else {
        .action(try RecordedAction(from: decoder))
      }
  }
}

extension RecordedLine {
  /// The version that it states; `nil` for a piece.
  var version: UInt64? {
    switch self {
    case .action(let action): action.version
    case .page(let page): page.version
    case .checkpoint(let checkpoint): checkpoint.version
    case .visit(let visit): visit.version
    case .piece: nil
    }
  }
}

/// A file that a ``Recorder`` has written.
struct Recording<Action: Codable> {
  private let lines: [Data]
  private let index: RecordedIndex
  private let upcasters: ArraySlice<Upcaster>
  let header: RecordingHeader

  /// - Parameters:
  ///   - url: The file. Anything after its last line end is ignored.
  ///   - upcasters: All upcasters of this program; with `nil`, actions and states are read without
  ///     conversion.
  /// - Throws: ``RecordingError`` if it is not a recording, or if it is from a newer release.
  init(_ url: URL, _ upcasters: [Upcaster]?) throws {
    self.lines = try RecordingFormat.lines(of: url)
    guard let first = self.lines.first,
      let header = try? JSONDecoder().decode(RecordingHeader.self, from: first)
    else {
      let seal = self.lines.first.flatMap {
        try? JSONDecoder().decode(RecordingSeal.Header.self, from: $0)
      }
      throw RecordingError(
        seal == nil ? "\(url.path) is no recording." : "\(url.path) is sealed. Give --key FILE.")
    }
    guard RecordingFormat.readable.contains(header.format) else {
      throw RecordingError(
        "\(url.path) has format \(header.format); this program reads \(RecordingFormat.number).")
    }
    let form = header.form ?? 0
    if let upcasters, form > upcasters.count {
      throw RecordingError("\(url.path) is of a newer release. Start that one.")
    }
    self.header = header
    self.index = RecordedIndex(self.lines)
    self.upcasters = (upcasters ?? []).dropFirst(form)
  }

  /// A line with its end, as this program would have written it.
  ///
  /// - Parameter number: The number of the line, from 1.
  /// - Throws: What an upcaster throws; `DecodingError`.
  func data(_ number: Int) throws -> Data {
    let data = try self.whole(number)
    guard number > 1, self.upcasters.isEmpty == false else { return data + Data("\n".utf8) }
    var line = try JSONDecoder().decode(JSONValue.self, from: data)
    for upcaster in self.upcasters { try upcaster(&line) }
    return try RecordingFormat.encode(line)
  }

  /// A line with the payload that it refers to.
  ///
  /// - Throws: ``RecordingError`` if the recording does not have that.
  private func whole(_ number: Int) throws -> Data {
    let data = self.lines[number - 1]
    // The line of an action without its payload.
    guard number > 1, data.starts(with: Data("{\"digest\":".utf8)) else { return data }
    guard let first = RecordedIndex.tag(of: data).flatMap({ self.index[$0] }),
      let end = self.lines[first - 1].range(of: RecordedTags.afterPayload, options: .backwards)
    else { throw RecordingError("line \(number) has no action.") }
    return self.lines[first - 1][..<end.lowerBound] + Data(",".utf8) + data.dropFirst()
  }

  /// The content that a tag stands for.
  ///
  /// - Returns: `nil` if the recording does not have it, or if it is larger than any page.
  func html(_ tag: String) -> String? {
    var room = RecordingFormat.contentLimit
    return self.html(tag, depth: 2, &room)
  }

  /// - Parameters:
  ///   - depth: How deep parts may be nested: a region has groups of rows.
  ///   - room: The bytes that may still be read. A small file can name the same part many times.
  private func html(_ tag: String, depth: Int, _ room: inout Int) -> String? {
    guard depth >= 0, let number = self.index[tag] else { return nil }
    let line = self.lines[number - 1]
    room -= line.count + RecordingFormat.contentOverhead
    guard room >= 0, let piece = try? JSONDecoder().decode(RecordedPiece.self, from: line) else {
      return nil
    }
    if let html = piece.html { return html }
    var whole = ""
    for part in piece.parts ?? [] {
      guard let html = self.html(part, depth: depth - 1, &room) else { return nil }
      whole += html
    }
    return whole
  }

  /// The place that no window shows any more from a line on; `nil` if the line does not say that.
  func endedPlace(_ number: Int) -> Int? {
    let line = self.lines[number - 1]
    guard line.starts(with: Data("{\"place\":".utf8)),
      let page = try? JSONDecoder().decode(RecordedPage.self, from: line), page.tags == nil
    else { return nil }
    return page.place
  }

  /// The number of the checkpoint at its beginning; `nil` if states cannot be written, or in
  /// recordings of older releases that begin with the store's initial state.
  var firstCheckpoint: Int? {
    guard self.lines.count > 1, case .checkpoint? = try? self.line(2) else { return nil }
    return 2
  }

  /// The state of a checkpoint.
  ///
  /// - Parameter number: The number of its line.
  /// - Throws: ``RecordingError`` if it is not a state of this program.
  /// - Complexity: O(n), n bytes of the state.
  func state<State>(at number: Int) throws -> State {
    do {
      guard let type = State.self as? any Decodable.Type,
        let state = try self.checkpoint(at: number, type) as? State
      else { throw RecordingError("states of this program are not Codable.") }
      return state
    } catch {
      throw RecordingError("Line \(number) has no state of this program: \(DecodingProblem(error))")
    }
  }

  /// The state of a checkpoint, as JSON.
  ///
  /// - Parameter number: The number of its line, whose keys are sorted.
  func checkpointText(at number: Int) throws -> String {
    let line = String(decoding: try self.data(number), as: UTF8.self)
    let end = line.range(of: ",\"digest\":", options: .backwards)?.lowerBound ?? line.endIndex
    return String(line[..<end].dropFirst("{\"checkpoint\":".count))
  }

  private func checkpoint<State: Decodable>(at number: Int, _: State.Type) throws -> Any {
    try JSONDecoder().decode(CheckpointLine<State>.self, from: self.data(number)).checkpoint
  }

  /// The numbers of the lines after the header.
  var numbers: Range<Int> { 2..<self.lines.count + 1 }

  /// - Parameter number: The number of a line, from 2.
  /// - Throws: ``RecordingError`` if this program does not know its content.
  func line(_ number: Int) throws -> RecordedLine<Action> {
    let line: RecordedLine<Action>
    do {
      line = try JSONDecoder().decode(RecordedLine<Action>.self, from: self.data(number))
    } catch {
      throw RecordingError(
        "Line \(number) has no action of this program: \(DecodingProblem(error))")
    }
    guard (line.version ?? 0) <= RecordingFormat.versionLimit else {
      throw RecordingError("Line \(number) has a version that no server reaches.")
    }
    return line
  }
}
