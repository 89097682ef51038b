public import Foundation

/// Compares the results of two builds for one recording.
///
/// Each build is a program that answers `PROGRAM ARGUMENTS` with the output of ``Replay/play(_:_:)``.
public struct BuildComparison: Sendable {
  /// A program that plays the recording.
  public struct Build: Sendable {
    let executable: URL
    let arguments: [String]

    public init(_ executable: URL, _ arguments: [String]) {
      self.executable = executable
      self.arguments = arguments
    }
  }

  /// Something that the new build does differently from the old one.
  public struct Difference: Sendable, CustomStringConvertible {
    public let line: Int
    public let version: UInt64
    /// The action's name, or the URL of a page that windows showed from then on.
    public let subject: String
    /// The subject of the difference: the state, the refusal, a region of a page, or the effects.
    public let what: String
    /// The results of the old build and of the new one, in lines.
    let old: [String]
    let new: [String]

    /// It is made only for what is shown, because it can take long.
    var changes: [LineChange] { [LineChange](from: self.old, to: self.new) }

    public var description: String {
      let head = "line \(self.line), version \(self.version), \(self.subject): \(self.what)"
      return ([head] + self.changes.filter(\.isChanged).map { "  \($0)" })
        .joined(separator: "\n")
    }
  }

  /// Differences of one kind.
  public struct Differences: Sendable {
    public internal(set) var first: [Difference] = []
    /// The number of all.
    public internal(set) var count = 0
  }

  /// The result of a comparison.
  public struct Outcome: Sendable {
    /// The number of compared lines of the recording.
    public internal(set) var lines = 0
    /// Different states, refusals and regions of pages.
    public internal(set) var results = Differences()
    /// Effects that only one of the builds starts, or that have other values.
    public internal(set) var effects = Differences()
    /// Whether both builds start from the same state. If not, states are not compared.
    public internal(set) var comparesStates = true
    /// Whether both builds know which effects an action starts. If not, effects are not compared.
    public internal(set) var comparesEffects = true

    /// The number of all differences.
    public var count: Int { self.results.count + self.effects.count }
    public var first: Difference? { self.results.first.first ?? self.effects.first.first }
  }

  private let old: Build
  private let new: Build
  private let recording: URL?

  /// - Parameter recording: The recording that both play. With it, the content of pages is kept only
  ///   for as long as windows showed them.
  public init(_ old: Build, _ new: Build, of recording: URL? = nil) {
    self.old = old
    self.new = new
    self.recording = recording
  }

  /// The first different result; `nil` if there is none. The builds are not played any further.
  ///
  /// - Throws: ``RecordingError`` if a build cannot be run, or stops.
  func firstDifference() throws -> Difference? {
    try self.run(limit: 1, isEndedAtLimit: true).results.first.first
  }

  /// - Parameter limit: The maximum number of differences of each kind to keep.
  /// - Throws: ``RecordingError`` if a build cannot be run, or stops.
  public func run(limit: Int = 100) throws -> Outcome {
    try self.run(limit: limit, isEndedAtLimit: false)
  }

  private func run(limit: Int, isEndedAtLimit: Bool) throws -> Outcome {
    let old = try PlayedOutput(self.old)
    defer { old.end() }
    let new = try PlayedOutput(self.new)
    defer { new.end() }
    let recording = try self.recording.map { try Recording<JSONValue>($0, nil) }
    var outcome = Outcome()
    var pages = ComparedPages()
    while true {
      let (before, after) = (try old.next(), try new.next())
      guard let before, let after else {
        guard before == nil, after == nil else {
          throw RecordingError("One build stopped before the other.")
        }
        return outcome
      }
      if before.line == 1 {
        outcome.comparesStates = before.digest == after.digest
        continue
      }
      outcome.lines += 1
      func add(
        _ what: String,
        to differences: WritableKeyPath<Outcome, Differences> = \.results,
        _ old: @autoclosure () -> [String],
        _ new: @autoclosure () -> [String]
      ) {
        outcome[keyPath: differences].count += 1
        guard outcome[keyPath: differences].count <= limit else { return }
        outcome[keyPath: differences].first.append(
          Difference(
            line: before.line, version: before.version, subject: before.subject, what: what,
            old: old(), new: new()))
      }
      if before.refusal != after.refusal {
        add("the refusal", before.refusal.map { [$0] } ?? [], after.refusal.map { [$0] } ?? [])
      }
      // Once two states differ, all later states differ too.
      if outcome.comparesStates, before.digest != after.digest {
        add("the state, here and from now on", [before.digest], [after.digest])
        outcome.comparesStates = false
      }
      for difference in pages.differences(before.regions, after.regions) {
        add(difference.title, difference.old.htmlLines, difference.new.htmlLines)
      }
      if let place = recording?.endedPlace(before.line) { pages.end(place) }
      if let old = before.effects, let new = after.effects {
        if old != new { add("the effects", to: \.effects, old, new) }
      } else {
        outcome.comparesEffects = false
      }
      if isEndedAtLimit, outcome.results.count >= limit { return outcome }
    }
  }
}

/// The newest content of pages, as two builds have it.
struct ComparedPages {
  /// By place and by title. Bounded by the pages that windows show at the same time.
  private var places: [Int: [String: (old: String?, new: String?)]] = [:]

  var count: Int { self.places.count }

  /// The regions whose content differs now, with the content.
  ///
  /// - Parameters:
  ///   - old: Those that have changed in the old build.
  ///   - new: Those that have changed in the new build.
  mutating func differences(
    _ old: [PlayedRegion],
    _ new: [PlayedRegion]
  ) -> [(title: String, old: String, new: String)] {
    for region in old {
      self.places[region.place, default: [:]][region.title, default: (nil, nil)].old =
        region.content?.html
    }
    for region in new {
      self.places[region.place, default: [:]][region.title, default: (nil, nil)].new =
        region.content?.html
    }
    let changed = Dictionary((old + new).map { ($0.title, $0.place) }) { first, _ in first }
    return changed.sorted { $0.key < $1.key }.compactMap { title, place in
      guard let content = self.places[place]?[title], content.old != content.new else { return nil }
      return (title, content.old ?? "", content.new ?? "")
    }
  }

  /// Forgets a page that no window shows any more.
  mutating func end(_ place: Int) { self.places[place] = nil }
}

/// The output of a build, read line by line.
final class PlayedOutput {
  private let process = Process()
  private let pipe = Pipe()
  private let name: String
  private var buffer = Data()
  private var lineCount = 0

  init(_ build: BuildComparison.Build) throws {
    self.name = build.executable.path
    self.process.executableURL = build.executable
    self.process.arguments = build.arguments
    self.process.standardOutput = self.pipe
    do {
      try self.process.run()
    } catch {
      throw RecordingError("\(self.name) cannot be run.")
    }
  }

  /// - Returns: `nil` at the end.
  func next() throws -> PlayedLine? {
    while true {
      if let end = self.buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { self.buffer = Data(self.buffer[(end + 1)...]) }
        guard let line = try? JSONDecoder().decode(PlayedLine.self, from: self.buffer[..<end])
        else {
          throw self.misunderstood
        }
        self.lineCount += 1
        return line
      }
      let data = self.pipe.fileHandleForReading.availableData
      guard data.isEmpty == false else { break }
      self.buffer += data
    }
    self.process.waitUntilExit()
    guard self.process.terminationStatus == 0, self.buffer.isEmpty else {
      throw RecordingError(
        "\(self.name) stopped, with exit code \(self.process.terminationStatus).")
    }
    guard self.lineCount > 0 else { throw self.misunderstood }
    return nil
  }

  private var misunderstood: RecordingError {
    RecordingError("\(self.name) does not play recordings, or in another format.")
  }

  /// Waits until the program has ended. If it is still writing, the closed pipe ends it.
  func end() {
    try? self.pipe.fileHandleForReading.close()
    self.process.waitUntilExit()
  }
}
