import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// How a recording is written.
public enum RecordingFormat {
  /// The most that a recording may have if nothing else is said, in bytes.
  public static let limit = 256 << 20
  static let number = 4
  /// Those that can be read. Format 2 has no checkpoints, and format 3 no visits.
  static let readable = 2...4
  /// At most so much waits to be written; when there is more, recording ends.
  static let waitingLimit = 10_000

  /// A line, with its end.
  static func encode(_ line: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(line) + Data("\n".utf8)
  }

  /// The lines of a file, without their ends. What follows the last line end was cut off.
  ///
  /// - Throws: ``RecordingError`` if it cannot be read.
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

/// Why nothing can be recorded or replayed.
public struct RecordingError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The first line of a recording.
struct RecordingHeader: Codable {
  let format: Int
  /// Of the state before the first action.
  let digest: String
  /// How many ``Upcaster``s there were for the actions and states in it; `nil`: none.
  var form: Int?
  /// `nil` if it is no report.
  var report: RecordedReport?
}

/// What a visitor has reported.
struct RecordedReport: Codable {
  let time: Date
  /// In the visitor's words.
  let description: String
}

/// Something that a visitor did.
struct RecordedVisit: Codable {
  let time: Date
  /// Tell visitors and windows apart. They are made for each recording, and lead to nobody.
  let visitor: String
  /// `nil` for a page that is not live yet, or never is.
  let window: String?
  /// Of the page.
  let url: String
  /// The version of the newest action then; of a form that was accepted that of its action.
  let version: UInt64
  /// The form that was posted; `nil` if a page was opened.
  let form: String?
  /// Whether the form was refused; `nil` if none was posted.
  let isRefused: Bool?

  /// - Parameters:
  ///   - url: Its URL as it is to be recorded.
  ///   - name: Makes the names of visitors and windows.
  init(_ visit: Visit, url: String, time: Date, name: (String) -> String) {
    self.time = time
    self.visitor = name(visit.session.text)
    self.window = visit.window.map { name($0.text) }
    self.url = url
    self.version = visit.version
    switch visit.event {
    case .shows: (self.form, self.isRefused) = (nil, nil)
    case .posts(let form, let refusal): (self.form, self.isRefused) = (form, refusal != nil)
    }
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
  /// `nil` if nobody has said.
  let origin: String?
  let action: Action
  /// `nil` if it was not refused.
  var refusal: String?
  /// Of the state after it.
  var digest: String

  /// - Parameter hasOrigin: Whether anybody may know where it came from.
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

/// A change of what windows were sent.
struct RecordedPage: Codable {
  /// What windows show from now on.
  struct Beginning: Codable {
    let url: String
    let timeZone: String
    let date: Date

    init(_ url: String, _ environment: WindowEnvironment) {
      self.url = url
      self.timeZone = environment.timeZone.identifier
      self.date = environment.date
    }

    var environment: WindowEnvironment {
      WindowEnvironment(timeZone: TimeZone(identifier: self.timeZone) ?? .gmt, date: self.date)
    }
  }

  /// The number of what is shown.
  let place: Int
  /// That of the state which is shown.
  let version: UInt64
  /// `nil` if it has begun before.
  let begins: Beginning?
  /// The tags of the regions that have changed, by name, and `nil` for those that are gone; none if
  /// nobody may know what was shown. If it is `nil`, no window shows this any longer.
  let tags: [String: String?]?

  private enum CodingKeys: CodingKey {
    case place, version, begins, tags
  }

  /// Without what the page consists of.
  ///
  /// - Parameter redact: Makes a URL one that everybody may see.
  /// - Returns: `nil` if there is nothing else.
  init?(_ page: ShownPage, redact: (String, WindowEnvironment) -> String) {
    switch page.change {
    case .begins(let environment):
      let url = redact(page.url, environment)
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
    self.tags = if case .ends = page.change { nil } else { page.regions.mapValues { $0?.tag.text } }
  }

  init(place: Int, version: UInt64, begins: Beginning? = nil, tags: [String: String?]?) {
    self.place = place
    self.version = version
    self.begins = begins
    self.tags = tags
  }

  /// What windows show after this change, as one that begins.
  ///
  /// - Parameter old: What they showed before; `nil` if they show it from now on.
  /// - Returns: `nil` if no window shows it any longer.
  func following(_ old: Self?) -> Self? {
    guard let tags = self.tags, let begins = self.begins ?? old?.begins else { return nil }
    var shown = (self.begins == nil ? old?.tags : nil) ?? [:]
    for (name, tag) in tags { shown[name] = tag.map(Optional.some) }
    return Self(place: self.place, version: self.version, begins: begins, tags: shown)
  }
}

/// A state in a recording, from which a replay can go on.
struct RecordedCheckpoint: Codable {
  /// That of the newest action.
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

/// What follows the header.
enum RecordedLine<Action: Codable>: Decodable {
  case action(RecordedAction<Action>)
  case page(RecordedPage)
  case checkpoint(RecordedCheckpoint)
  case visit(RecordedVisit)

  private enum CodingKeys: CodingKey {
    case place, checkpoint, visit
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
      } else {
        .action(try RecordedAction(from: decoder))
      }
  }
}

/// A file that a ``Recorder`` has written.
struct Recording<Action: Codable> {
  private let lines: [Data]
  private let upcasters: ArraySlice<Upcaster>
  let header: RecordingHeader

  /// - Parameters:
  ///   - url: What follows its last line end was cut off, and is not read.
  ///   - upcasters: All of this program; `nil`: actions and states are read in the form that they have.
  /// - Throws: ``RecordingError`` if it is no recording, or one of a newer release.
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
    self.upcasters = (upcasters ?? []).dropFirst(form)
  }

  /// A line with its end, as this program would have written it.
  ///
  /// - Parameter number: That of the line, from 1.
  /// - Throws: What an upcaster throws; `DecodingError`.
  func data(_ number: Int) throws -> Data {
    let data = self.lines[number - 1]
    guard number > 1, self.upcasters.isEmpty == false else { return data + Data("\n".utf8) }
    var line = try JSONDecoder().decode(JSONValue.self, from: data)
    for upcaster in self.upcasters { try upcaster(&line) }
    return try RecordingFormat.encode(line)
  }

  /// The number of the checkpoint that it begins with; `nil` if it begins with the store's first state.
  var firstCheckpoint: Int? {
    guard self.lines.count > 1, case .checkpoint? = try? self.line(2) else { return nil }
    return 2
  }

  /// The state of a checkpoint.
  ///
  /// - Parameter number: The number of its line.
  /// - Throws: ``RecordingError`` if it is no state of this program.
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

  /// The numbers of the lines that follow the header.
  var numbers: Range<Int> { 2..<self.lines.count + 1 }

  /// - Parameter number: That of a line, from 2.
  /// - Throws: ``RecordingError`` if it has nothing that this program knows.
  func line(_ number: Int) throws -> RecordedLine<Action> {
    do {
      return try JSONDecoder().decode(RecordedLine<Action>.self, from: self.data(number))
    } catch {
      throw RecordingError(
        "Line \(number) has no action of this program: \(DecodingProblem(error))")
    }
  }
}
