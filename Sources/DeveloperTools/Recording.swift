import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

enum RecordingFormat {
  static let number = 2
  /// At most so much waits to be written; when there is more, recording ends.
  static let waitingLimit = 10_000

  /// A line, with its end.
  static func encode(_ line: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(line) + Data("\n".utf8)
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

  init<State>(_ dispatch: Dispatch<State, Action>, digest: String) {
    self.version = dispatch.version
    self.time = .now
    self.origin = dispatch.origin?.text
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
  /// The tags of the regions that have changed, by name, and `nil` for those that are gone. If it is
  /// `nil`, no window shows this any longer.
  let tags: [String: String?]?

  fileprivate enum CodingKeys: CodingKey {
    case place, version, begins, tags
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
}

/// What follows the header.
enum RecordedLine<Action: Codable>: Codable {
  case action(RecordedAction<Action>)
  case page(RecordedPage)

  init(from decoder: any Decoder) throws {
    let isPage = try decoder.container(keyedBy: RecordedPage.CodingKeys.self).contains(.place)
    self =
      isPage ? .page(try RecordedPage(from: decoder)) : .action(try RecordedAction(from: decoder))
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .action(let action): try action.encode(to: encoder)
    case .page(let page): try page.encode(to: encoder)
    }
  }
}

/// A file that a ``Recorder`` has written.
struct Recording<Action: Codable> {
  private let path: String
  private let lines: [Data]
  let header: RecordingHeader

  /// - Parameter url: What follows its last line end was cut off, and is not read.
  /// - Throws: ``RecordingError`` if it is no recording.
  init(_ url: URL) throws {
    self.path = url.path
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw RecordingError("\(url.path) cannot be read.")
    }
    let lineEnd = UInt8(ascii: "\n")
    let whole = data.lastIndex(of: lineEnd).map { data[..<$0] } ?? Data()
    self.lines = whole.split(separator: lineEnd, omittingEmptySubsequences: false)
    guard let first = self.lines.first,
      let header = try? JSONDecoder().decode(RecordingHeader.self, from: first)
    else { throw RecordingError("\(url.path) is no recording.") }
    guard header.format == RecordingFormat.number else {
      throw RecordingError(
        "\(url.path) has format \(header.format); this program reads \(RecordingFormat.number).")
    }
    self.header = header
  }

  /// The numbers of the lines that follow the header.
  var numbers: Range<Int> { 2..<self.lines.count + 1 }

  /// - Parameter number: That of a line, from 2.
  /// - Throws: ``RecordingError`` if it has nothing that this program knows.
  func line(_ number: Int) throws -> RecordedLine<Action> {
    do {
      return try JSONDecoder().decode(RecordedLine<Action>.self, from: self.lines[number - 1])
    } catch {
      throw RecordingError("Line \(number) has no action of this program: \(DecodingProblem(error))")
    }
  }
}
