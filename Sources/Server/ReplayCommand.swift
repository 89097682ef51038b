import AnimalsData
import ArgumentParser
import DeveloperTools
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import Terminal

/// Does again what was recorded.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Does again what was recorded, and compares the states and the pages.",
    discussion: "It ends with 1 at the first action or page that is another one."
  )

  @Argument(help: "What Server --record has written.") var file: String

  /// Its options can be given here too: `--templates` is one of them.
  @ParentCommand private var server: Server

  @Option(help: "The file with the private key, for a recording that is sealed.") var key: String?

  @Option(
    help: """
      Compare with what this other Server makes of the recording, and show all differences. Its
      templates are those of the checkout that it is in.
      """
  )
  var against: String?

  @Option(help: "Write the differences from the other Server to this file, as a page.")
  var report: String?

  @Option(
    help: """
      Write to this new file the fewest actions that the two Servers still treat differently, and beside \
      it the same as a test in Swift.
      """
  )
  var shrink: String?

  @Flag(help: "Print what this Server makes of the recording, for another one that compares it.")
  var play = false

  func validate() throws {
    guard self.against != nil || (self.report == nil && self.shrink == nil) else {
      throw ValidationError("--report and --shrink need --against.")
    }
    guard self.against == nil || self.play == false else {
      throw ValidationError("Give --play or --against, not both.")
    }
  }

  func run() async throws {
    do {
      let sealed = URL(filePath: self.file)
      let opened = try self.key.map {
        try OpenedRecording(sealed, with: RecordingKey(URL(filePath: $0)))
      }
      defer { withExtendedLifetime(opened) {} }
      let file = opened?.url ?? sealed
      if let against {
        try self.compare(file, with: URL(filePath: against))
      } else if self.play {
        try await self.makeReplay().play(file) {
          try FileHandle.standardOutput.write(contentsOf: $0)
        }
      } else {
        try await self.replay(file)
      }
    } catch let error as RecordingError {
      throw Complaint("\(error)")
    }
  }

  /// - Parameter isSample: Whether the first state is that of a Server whose earthquakes are made up.
  private func makeReplay(isSample: Bool = false) async throws -> Replay<AppState, AppAction> {
    let state = AppState(
      animals: AnimalsState(limit: self.server.animals.animalsLimit),
      quakes: QuakesState(limit: self.server.quakes.quakesLimit, isSample: isSample)
    )
    let store = await Store(initialState: state, reducer: AppReducer.reducer)
    let pages = await AppPages(store)
    let windows: WindowGroup
    do {
      windows = try WindowGroup(templates: TemplateLibrary(directory: self.server.files.templates))
      {
        pages.providers()
      }
    } catch {
      throw Complaint("\(error) (--templates)")
    }
    return Replay(
      initialState: state,
      reducer: AppReducer.reduce,
      windows: windows,
      upcasters: AppState.upcasters
    )
  }

  private func judge(
    _ file: URL,
    isSample: Bool
  ) async throws -> (
    replay: Replay<AppState, AppAction>, verdict: Replay<AppState, AppAction>.Verdict
  ) {
    let replay = try await self.makeReplay(isSample: isSample)
    return (replay, try replay.verdict(file))
  }

  private func replay(_ file: URL) async throws {
    var (replay, verdict) = try await self.judge(file, isSample: false)
    if verdict == .risky {
      let other = try await self.judge(file, isSample: true)
      if other.verdict == .fine { (replay, verdict) = other }
    }
    switch verdict {
    case .fine: break
    case .risky:
      print(
        "Risky: this Server begins with another state. States are compared from the first checkpoint on that it can read."
      )
    case .impossible(let reason): throw Complaint("Impossible: \(reason)")
    }
    if let description = try replay.report(file) { print("Reported: \(Text.line(description))") }
    switch try replay.run(file) {
    case .same(let actions, let pages):
      print("The same: \(actions) actions, \(pages) changes of pages.")
    case .differs(let difference):
      for change in difference.changes { print(change) }
      throw Complaint("\(difference)")
    }
  }
}

extension TestedProgram {
  /// This one.
  fileprivate static let server = Self(
    imports: ["@testable import Server"],
    state: "AppState",
    initialState: "AppState()",
    reducer: "AppReducer.reducer",
    setUp: ["let pages = AppPages(store)"],
    providers: ["pages.providers()"]
  )
}

// Two builds.
extension ReplayCommand {
  private func compare(_ file: URL, with other: URL) throws {
    let (old, new) = (self.player(of: other), self.ownPlayer)
    let noise = try BuildComparison(old(file), old(file)).run()
    guard noise.count == 0 else {
      throw Complaint(
        "\(other.path) does not make the same of it twice, so nothing can be compared: "
          + "\(noise.differences[0])")
    }
    let outcome = try BuildComparison(old(file), new(file)).run()
    if let report {
      let page = DifferenceReport(outcome).html
      try Data(page.utf8).write(to: URL(filePath: report))
    }
    if outcome.comparesStates == false, outcome.count == 0 {
      print("The Servers begin with different states: refusals and pages were compared.")
    }
    guard outcome.count > 0 else {
      print("Both Servers make the same of \(outcome.lines) lines.")
      return
    }
    if let shrink {
      let shrinker = try RecordingShrinker(
        file, old: old, new: new, upcasters: AppState.upcasters)
      let target = URL(filePath: shrink)
      let count = try shrinker.shrink(to: target)
      let test = target.deletingPathExtension().appendingPathExtension("swift")
      try Data(try shrinker.test(of: target, in: .server).utf8).write(
        to: test, options: .withoutOverwriting)
      print("\(shrink) has what suffices, with \(count) actions; \(test.path) is the test of it.")
    }
    for difference in outcome.differences.prefix(10) { print(difference) }
    throw Complaint("The Servers differ \(outcome.count) times.")
  }

  /// How to play a recording with another Server.
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
    { file in
      BuildComparison.Build(
        executable, ["replay", file.path, "--play", "--templates", templates])
    }
  }
}
