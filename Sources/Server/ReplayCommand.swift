import ArgumentParser
import DeveloperTools
import Foundation
import ImmutableData
import Terminal

/// Carries out recorded actions again.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Carries out the actions of a recording again, and compares the states.",
    discussion: "It ends with 1 at the first action that leads elsewhere."
  )

  @Argument(help: "What Server --record has written.") var file: String

  func run() throws {
    let replay = Replay(initialState: AppState()) { state, action in
      try AppReducer.reducer.update(state, action).state
    }
    let outcome: Replay<AppState, AppAction>.Outcome
    do {
      outcome = try replay.run(URL(filePath: self.file))
    } catch let error as RecordingError {
      throw Complaint("\(error)")
    }
    switch outcome {
    case .same(let actions):
      print("\(actions) actions led to the same states.")
    case .differs(let difference):
      throw Complaint("\(difference)")
    }
  }
}
