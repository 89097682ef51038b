import ArgumentParser
import DeveloperTools
import Foundation
import Terminal

/// Makes the keys for sealed recordings.
struct RecordingKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recording-key",
    abstract: "Makes a key for recordings that only its owner can read.",
    discussion:
      "Record with FILE.pub (--record-key), and replay with FILE (--key). Keep FILE elsewhere."
  )

  @Argument(help: "The new file for the private key.") var file: String

  func run() async throws {
    do {
      let publicFile = try RecordingKey().write(to: URL(filePath: self.file))
      print("\(self.file) has the private key, and \(publicFile.path) the public one.")
    } catch let error as RecordingError {
      throw Complaint("\(error)")
    }
  }
}
