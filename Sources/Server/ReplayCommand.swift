import AnimalsData
import ArgumentParser
import DeveloperTools
import Foundation
import HTMLTemplates
import HTTPConnections
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import PlainText
import QuakesData
import Terminal

/// Replays a recording.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays a recording, and compares the states and the pages.",
    discussion: "The exit code is 1 if an action or a page differs."
  )

  @Argument(
    help: "A recording that Server --record has written; /dev/stdin reads it from standard input."
  )
  var file: String

  /// The options of the server, which are also accepted here, such as `--templates`.
  @ParentCommand private var server: Server

  @Option(help: "The file with the private key, for a sealed recording.") var key: String?

  @Option(
    help: """
      Compare with the results of this other Server, and show all differences. Its \
      templates are those of the checkout that it is in.
      """
  )
  var against: String?

  @Option(help: "Write the differences from the other Server to this new file, as a page.")
  var report: String?

  @Option(
    help: """
      Write the fewest actions that the two Servers treat differently to this new file, and next to it \
      the same as a test in Swift.
      """
  )
  var shrink: String?

  @Flag(
    help: """
      Instead of comparing anything, show the recording on the developer pages, at the address of \
      --host and --port.
      """
  )
  var serve = false

  @Flag(help: "Print the results of this Server, for a comparison by another one.")
  var play = false

  func validate() throws {
    guard self.against != nil || (self.report == nil && self.shrink == nil) else {
      throw ValidationError("--report and --shrink need --against.")
    }
    guard [self.against != nil, self.play, self.serve].count(where: \.self) <= 1 else {
      throw ValidationError("Give only one of --against, --play and --serve.")
    }
  }

  func run() async throws {
    let given = URL(filePath: self.file)
    var file = given
    do {
      let opened = try self.open(given)
      defer { withExtendedLifetime(opened) {} }
      file = opened?.url ?? given
      if let against {
        try self.compare(file, with: URL(filePath: against))
      } else if self.play {
        try await self.makeReplay().play(file) {
          try FileHandle.standardOutput.write(contentsOf: $0)
        }
      } else if self.serve {
        try await self.serve(file, name: given.lastPathComponent)
      } else {
        try await self.replay(file)
      }
    } catch let error as RecordingError {
      throw Complaint("\(error)".replacing(file.path, with: given.path))
    }
  }

  /// - Returns: `nil` if the file can be replayed as it is: in clear text, and more than once.
  private func open(_ url: URL) throws -> OpenedRecording? {
    guard let key else { return try OpenedRecording.copy(of: url) }
    return try OpenedRecording(url, with: RecordingKey(URL(filePath: key)))
  }

  /// What a Server with these options starts from.
  private var initialState: AppState {
    AppState(
      animals: AnimalsState(limit: self.server.animals.animalsLimit),
      quakes: QuakesState(limit: self.server.quakes.quakesLimit)
    )
  }

  private func makeWindows(
    @ProviderBuilder _ providers: @Sendable () -> [Provider]
  ) throws -> WindowGroup {
    do {
      return try WindowGroup(
        templates: TemplateLibrary(directory: self.server.files.templates), providers: providers)
    } catch {
      throw Complaint("\(error) (--templates)")
    }
  }

  private func makeReplay() async throws -> Replay<AppState, AppAction> {
    let state = self.initialState
    let pages = await AppPages(Store(initialState: state, reducer: AppReducer.reducer))
    let effects = await AppEffects(pages)
    return Replay(
      initialState: state,
      reducer: AppReducer.reduce,
      windows: try self.makeWindows { pages.providers() },
      upcasters: AppState.upcasters,
      effects: { effects.lines($0, $1, $2) }
    )
  }

  /// Says whether the recording can be replayed, before it is.
  private func announce(_ verdict: Replay<AppState, AppAction>.Verdict) throws {
    switch verdict {
    case .fine: if self.serve { Self.say("Fine: this Server can read all of it.") }
    case .risky:
      Self.say(
        "Risky: this Server begins with another state. States are "
          + (self.serve ? "shown" : "compared") + " from the first checkpoint that it can read.")
    case .impossible(let reason): throw Complaint("Impossible: \(reason)")
    }
  }

  /// Writes a line at once, before the work that follows.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Prints lines. What visitors have entered does nothing to the terminal.
  private static func show(_ lines: some CustomStringConvertible) {
    for line in "\(lines)".split(separator: "\n", omittingEmptySubsequences: false) {
      print(String(line).inOneLine)
    }
  }

  private func replay(_ file: URL) async throws {
    let replay = try await self.makeReplay()
    try self.announce(replay.verdict(file))
    if let description = try replay.report(file) { print("Reported: \(description.inOneLine)") }
    let comparison = try replay.compare(file)
    switch comparison.outcome {
    case .same:
      Self.show(comparison)
      if comparison.hasOtherDigests { print("To compare states, use --against.") }
      if comparison.pagesWithoutContent > 0 {
        print("To compare pages, use --against, or record with --record-key.")
      }
    case .differs(let difference):
      for change in difference.changes { Self.show(change) }
      throw Complaint("\(difference)")
    }
  }
}

extension TestedProgram {
  /// This program.
  fileprivate static let server = Self(
    imports: ["@testable import Server"],
    state: "AppState",
    initialState: "AppState()",
    reducer: "AppReducer.reducer",
    setUp: ["let pages = AppPages(store)"],
    providers: ["pages.providers()"]
  )
}

// Comparing two builds.
extension ReplayCommand {
  private func compare(_ file: URL, with other: URL) throws {
    let report = self.report.map { URL(filePath: $0) }
    let shrunk = self.shrink.map { URL(filePath: $0) }
    let test = shrunk?.deletingPathExtension().appendingPathExtension("swift")
    // First, because a comparison takes a while.
    try OwnerFile.check([report, shrunk, test].compactMap(\.self))
    let (old, new) = (self.player(of: other), self.ownPlayer)
    let noise = try BuildComparison(old(file), old(file), of: file).run()
    guard noise.count == 0 else {
      throw Complaint(
        "\(other.path) gives different results for it, so nothing can be compared: "
          + "\(noise.first.map { "\($0)" } ?? "")")
    }
    let outcome = try BuildComparison(old(file), new(file), of: file).run()
    if let report {
      try OwnerFile.write(Data(DifferenceReport(outcome).html.utf8), to: report)
    }
    if outcome.comparesStates == false, outcome.results.count == 0 {
      print("The Servers begin with different states: refusals and pages were compared.")
    }
    if outcome.comparesEffects == false {
      print("Effects were not compared, because \(other.path) does not say which it starts.")
    }
    guard outcome.count > 0 else {
      print("Both Servers make the same of \(outcome.lines) lines.")
      return
    }
    if self.shrink != nil, outcome.results.count == 0 {
      print("Only effects differ. A smaller recording would not show that, so none is written.")
    } else if let shrunk, let test {
      let shrinker = try RecordingShrinker(
        file, old: old, new: new, upcasters: AppState.upcasters)
      let count = try shrinker.shrink(to: shrunk)
      try OwnerFile.write(Data(try shrinker.test(of: shrunk, in: .server).utf8), to: test)
      print(
        "\(shrunk.path) has the smallest difference, with \(count) actions. "
          + "\(test.path) is a test of it.")
    }
    for differences in [outcome.effects, outcome.results] {
      for difference in differences.first.prefix(10) { Self.show(difference) }
    }
    throw Complaint("Differences between the Servers: \(outcome.count).")
  }

  /// Plays a recording with another Server.
  private func player(of executable: URL) -> (URL) -> BuildComparison.Build {
    let templates = sequence(first: executable.deletingLastPathComponent()) { folder in
      folder.path == "/" ? nil : folder.deletingLastPathComponent()
    }.map { $0.appending(path: "Templates").path }
      .first { FileManager.default.fileExists(atPath: $0) }
    return self.player(executable, templates: templates ?? self.server.files.templates)
  }

  private var ownPlayer: (URL) -> BuildComparison.Build {
    self.player(
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
      templates: self.server.files.templates)
  }

  private func player(_ executable: URL, templates: String) -> (URL) -> BuildComparison.Build {
    let limits = [
      ("--animals-limit", self.server.animals.animalsLimit, AnimalsState.defaultLimit),
      ("--quakes-limit", self.server.quakes.quakesLimit, QuakesState.defaultLimit),
    ].filter { $1 != $2 }.flatMap { [$0.0, "\($0.1)"] }
    return { file in
      BuildComparison.Build(
        executable, ["replay", file.path, "--play", "--templates", templates] + limits)
    }
  }
}

// Looking at a recording.
extension ReplayCommand {
  /// - Parameter name: What the pages call it.
  private func serve(_ file: URL, name: String) async throws {
    let replay = Replay(
      initialState: self.initialState, reducer: AppReducer.reduce, upcasters: AppState.upcasters)
    guard self.key == nil || HostPolicy.isLoopback(self.server.listening.host) else {
      throw Complaint(
        "A recording with what people have entered is shown only on this machine. Leave out --host."
      )
    }
    let viewer = try await RecordingViewer(file, replay, name: name)
    try self.announce(viewer.verdict)
    let pages = await AppPages(viewer.store)
    let windows = try self.makeWindows {
      pages.providers()
      viewer.developer.provider
    }
    try await viewer.load(into: windows)
    var configuration = WebServerConfiguration()
    self.server.listening.apply(to: &configuration)
    self.server.files.apply(to: &configuration)
    try self.server.operations.apply(to: &configuration)
    configuration.developer = viewer.developer.pages
    configuration.logger = self.server.logging.makeLogger()
    try ServerProcess.prepare()
    do {
      let server = try await WebServer(
        windows: windows,
        templates: TemplateLibrary(directory: self.server.files.templates),
        configuration: configuration
      )
      try await server.run { address in
        Self.say("Listening on \(address)")
        Self.say("The recording is at \(address)/developer")
      }
    } catch let error as StartError {
      throw Complaint(error.complaint)
    }
  }
}
